#!/bin/sh
# A player of the pit in POSIX shell, for words of a to z: the first word that the marks so far allow.
#     gpulingo referee -word tares -player "sh examples/player.sh"
# The referee appends the number of letters. A guess is a line on stdout, its marks a line on stdin.

words=$(grep -x "[a-z]\{$1\}" wordlist.txt) # the referee has put the list into the current folder
while [ -n "$words" ]; do
    guess=$(echo "$words" | head -n 1)
    echo "$guess"
    read -r marks || exit 0 # none: the round is over
    words=$(echo "$words" | grep -vx "$guess")
    before="" letters=$guess
    while [ -n "$letters" ]; do
        letter=${letters%"${letters#?}"}
        case $marks in
        O*) words=$(echo "$words" | grep "^$before$letter") ;;
        \?*) words=$(echo "$words" | grep "$letter" | grep -v "^$before$letter") ;;
        X*) words=$(echo "$words" | grep -v "^$before$letter") ;; # elsewhere there may be a copy, if marked
        esac
        before=$before. letters=${letters#?} marks=${marks#?}
    done
done
