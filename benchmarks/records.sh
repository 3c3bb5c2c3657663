#!/usr/bin/env bash
# benchmarks/records.sh FOLDER: writes the word lists of docs/records.md to FOLDER/NAME.txt, from Debian's packages,
# and the equations of Mini Nerdle. Words of five lower-case letters, sorted, each once; `scripts/study` finds them by GPULINGO_RECORDS=FOLDER.
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
# Equations of six signs: one or more of + - * / between numbers from 1 on, and a whole result that is not negative.
python3 - << 'END' | LC_ALL=C sort > "$folder/nerdle.txt"
import itertools, re
from fractions import Fraction
for left in (3, 4):
    for signs in itertools.product("0123456789+-*/", repeat=left):
        text = "".join(signs)
        if re.fullmatch(r"[1-9]\d*([-+*/][1-9]\d*)+", text):
            value = eval(re.sub(r"\d+", r"Fraction(\g<0>)", text))
            if value.denominator == 1 and 0 <= value and len(str(value)) == 5 - left:
                print(f"{text}={value}")
END
echo "$(wc -l < "$folder/nerdle.txt") equations: nerdle.txt"
rm -rf "$temporary"
