#!/usr/bin/env bash
# benchmarks/records.sh FOLDER: writes the lists of docs/records.md to FOLDER/NAME.txt: words of Debian's packages, of five lower-case
# letters, equations of Nerdle and primes of Primel; sorted, each once. `scripts/study` finds them by GPULINGO_RECORDS=FOLDER.
set -euo pipefail
folder=$(realpath -m "${1:?name the folder to write to}"); mkdir -p "$folder"; temporary=$(mktemp -d); cd "$temporary"
# words NAME PACKAGE=VERSION FILE ENCODING
words() {
    apt-get -q download "$2" >/dev/null && dpkg -x "${2%%=*}"_*.deb .
    iconv -f "$4" -t utf-8 "$3" | grep -P '^\p{Ll}{5}$' | LC_ALL=C sort -u > "$folder/$1.txt"
    echo "$(wc -l < "$folder/$1.txt") words of $2: $1.txt"
}
words irish wirish=2.0-27.1 usr/share/dict/irish utf-8
words gaelic wgaelic=0.50-13.1 usr/share/dict/gaelic utf-8
words manx wmanx=0.50-16.1 usr/share/dict/manx iso-8859-1
words german wngerman=20161207-11 usr/share/dict/ngerman utf-8
words italian witalian=1.10 usr/share/dict/italian utf-8
words english wamerican-small=2020.12.07-2 usr/share/dict/american-english-small utf-8
words spanish wspanish=1.0.30 usr/share/dict/spanish utf-8
words dutch wdutch=1:2.20.19-2 usr/share/dict/dutch utf-8
words swedish wswedish=1.4.5-3 usr/share/dict/swedish iso-8859-1
apt-get -q download lojban-common=1.5+dfsg.1-4 >/dev/null && dpkg -x lojban-common_*.deb .
cut -c2-6 usr/share/lojban/gismu.txt | grep -P '^[a-z]{5}$' | LC_ALL=C sort -u > "$folder/gismu.txt"
echo "$(wc -l < "$folder/gismu.txt") words of lojban-common=1.5+dfsg.1-4: gismu.txt"
# Equations: one or more of + - * / between numbers from 1 on, and a whole result that is not negative.
equations() {
    python3 - "$2" << 'END' | LC_ALL=C sort > "$folder/$1.txt"
import re, sys
from fractions import Fraction
signs = int(sys.argv[1])
def expressions(length):
    yield from map(str, range(10 ** (length - 1), 10**length))
    for last in range(1, length - 1):
        for first in expressions(length - last - 1):
            for number in range(10 ** (last - 1), 10**last):
                yield from (f"{first}{operator}{number}" for operator in "+-*/")
for length in range(3, signs - 1):
    for text in filter(re.compile("[-+*/]").search, expressions(length)):
        value = round(eval(text))
        if len(str(value)) == signs - 1 - length and 0 <= value == eval(re.sub(r"\d+", r"Fraction(\g<0>)", text)):
            print(f"{text}={value}")
END
    echo "$(wc -l < "$folder/$1.txt") equations of $2 signs: $1.txt"
}
equations nerdle 6
equations nerdle-classic 8
seq 10001 2 99999 | factor | awk 'NF == 2 { print $2 }' > "$folder/primel.txt"
echo "$(wc -l < "$folder/primel.txt") primes: primel.txt"
rm -rf "$temporary"
