"""Sets of `AdversaryMisses`: working memory, won sets, and the nogoods of lost sets.

A set is lost at a level, a number of misses, if the host can force more misses than that. A lost part of a
lost set is a nogood: every set that contains it is lost as well. Nogoods are made where every letter is ruled
out, and from words that share no splitting letter: the host always says miss, and each letter removes one of
them.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from gpulingo.solvers.depth_first import NO_LABEL, fill, new_frames, split_words
from gpulingo.solvers.letters.search import different_letters, letters_of
from gpulingo.solvers.transpositions import GUESS, NOWHERE, UPPER, row_of
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.wordtable import WordTable

SPLIT, UNRULED = -1, -2  # a letter that splits the words of a nogood; a letter that no nogood rules out
NOGOOD_WORDS = 24  # expected mean words of a nogood, for the memory of their rows
CHOICES = 64  # most nogoods compared for the one that adds fewest words
NONE, FULL = -1, -2  # no nogood: none is needed; there is no room for one


# Search state of the set at each depth; R depths, n words at most, K classes of a letter.
HostSets = namedtuple(
    "HostSets",
    "codes letters different numbers rows frames sums hits parts ruled missed starts classes keys queue "
    "tally first open_letters lists many",
)


# Sets that are lost: at most P nogoods of X words in total.
HostNogoods = namedtuple("HostNogoods", "words starts level codes answers size inside union used")


def new_sets(table: WordTable, codes: Array, classes: int, nogoods: int) -> HostSets:
    """Return working memory for a search of all words of a table."""
    words, alphabet = codes.shape
    depths = alphabet + 2
    letters, different = different_letters(codes, table.length)
    numbers = np.random.default_rng(0).integers(1, 1 << 64, (words, 2), dtype=np.uint64)
    return HostSets(
        codes=codes,  # [W, A] int16: the class of each word by each letter, see `letter_classes`
        letters=letters,  # [W, N] uint8: the different letters of each word first
        different=different,  # [W] int64: their number
        numbers=numbers,  # [W, 2] uint64: random
        # Words, in the order of the classes of the letter tried at the depth before.
        rows=np.empty((depths, words), np.int32),
        frames=new_frames(depths, "tries"),  # "tries": number of letters tried before
        sums=np.zeros((depths, 2), np.uint64),  # sums of the numbers of the words
        hits=np.zeros((depths, alphabet), np.int32),  # words that hold each letter
        parts=np.zeros((depths, alphabet), np.uint8),  # whether each letter splits the words
        # Nogood in each letter's miss class, lost at one level less; or UNRULED.
        ruled=np.full((depths, alphabet), UNRULED, np.int32),
        # Sums of the numbers of the words that hold each letter.
        missed=np.zeros((depths, alphabet, 2), np.uint64),
        starts=np.zeros((depths, classes + 1), np.int32),  # where the classes begin
        classes=np.zeros((depths, classes), np.int16),  # their codes
        keys=np.zeros((depths, classes, 2), np.uint64),  # sums of the numbers of their words
        queue=np.zeros((depths, classes), np.int32),  # the classes to be searched, in order
        tally=np.zeros(classes, np.int32),  # zeros between calls: words of each code
        first=np.zeros(alphabet, np.int16),  # scratch of a count
        open_letters=np.zeros(words, np.int16),  # scratch of a count
        lists=np.zeros((depths, nogoods), np.int32),  # the nogoods within the set of each depth
        many=np.zeros(depths, np.int64),  # their number
    )


def new_nogoods(words: int, alphabet: int, most: int) -> HostNogoods:
    """Working memory for `most` nogoods."""
    return HostNogoods(
        words=np.empty(most * NOGOOD_WORDS, np.int32),
        starts=np.zeros(most + 1, np.int64),  # where the words of each begin
        level=np.zeros(most, np.int16),  # more misses than this can be forced
        # Class that all its words are in by each letter, or SPLIT.
        codes=np.zeros((most, alphabet), np.int16),
        # Nogood to keep after a miss of a letter that splits it; -1: any word.
        answers=np.zeros((most, alphabet), np.int32),
        size=np.zeros(2, np.int64),  # number of nogoods; the one made or used last
        # Scratch of a union: number of the last union that each word was in.
        inside=np.full(words, -1, np.int64),
        union=np.zeros(words + 1, np.int32),  # scratch of a union: its words
        used=np.zeros(alphabet + 2, np.int32),  # scratch of a union: the nogoods in it
    )


@inner
def won_letter(won, key, check, level):
    """Return a letter to guess in a set known to be won with `level` misses; -1: not known."""
    here = row_of(won, np.int64(key) | 1, np.int64(check))
    return won[here, GUESS] if here != NOWHERE and won[here, UPPER] <= level else np.int64(-1)


@inner
def count_letters(sets, depth):
    """Count, for the set of a depth, the words with each letter, and record which letters split it."""
    start, stop = sets.frames[depth].start, sets.frames[depth].stop
    hits, parts, missed, first = sets.hits[depth], sets.parts[depth], sets.missed[depth], sets.first
    fill(hits, 0)
    fill(parts, 0)
    for letter in range(missed.shape[0]):
        fill(missed[letter], 0)
    for i in range(start, stop):
        word = sets.rows[depth, i]
        for letter in letters_of(sets, word):
            code = sets.codes[word, letter]
            if hits[letter] == 0:
                first[letter] = code
            elif first[letter] != code:
                parts[letter] = 1
            hits[letter] += 1
            missed[letter, 0] += sets.numbers[word, 0]
            missed[letter, 1] += sets.numbers[word, 1]
    for letter in range(hits.shape[0]):
        if 0 < hits[letter] < stop - start:
            parts[letter] = 1


@inner
def part_by(sets, depth, letter):
    """Split the set of a depth by a letter into the next row; return the number of classes."""
    frame, below = sets.frames[depth], sets.rows[depth + 1]
    starts, keys = sets.starts[depth], sets.keys[depth]
    many = split_words(
        sets.codes[:, letter], sets.rows[depth], frame.start, frame.stop, below, frame.start, sets.tally,
        sets.classes[depth], starts, NO_LABEL,
    )  # fmt: skip
    for c in range(many):
        fill(keys[c], 0)
        for i in range(starts[c], starts[c + 1]):
            keys[c, 0] += sets.numbers[below[i], 0]
            keys[c, 1] += sets.numbers[below[i], 1]
    return many


@inner
def inherit(sets, nogoods, depth, letter, code):
    """List those nogoods of the parent set that are within a class, and rule out letters by them."""
    level, many = sets.frames[depth].left, 0
    fill(sets.ruled[depth], UNRULED)
    for i in range(sets.many[depth - 1]):
        nogood = sets.lists[depth - 1, i]
        if nogoods.codes[nogood, letter] == code:
            sets.lists[depth, many] = nogood
            many += 1
            if nogoods.level[nogood] == level - 1:
                rule_out(sets, nogoods, depth, nogood)
    sets.many[depth] = many


@inner
def rule_out(sets, nogoods, depth, nogood):
    """Rule out the letters that a nogood lacks; the nogood is lost with one miss less than its set has."""
    for letter in range(sets.ruled.shape[1]):
        if nogoods.codes[nogood, letter] == 0 and sets.ruled[depth, letter] == UNRULED:
            sets.ruled[depth, letter] = nogood


@inner
def enlist(sets, nogoods, nogood, depth):
    """Add a nogood to the sets on the path to a depth; return the first of them that is lost by it."""
    level = nogoods.level[nogood]
    for d in range(depth + 1):
        if sets.frames[d].left <= level:
            return d
        sets.lists[d, sets.many[d]] = nogood
        sets.many[d] += 1
        if sets.frames[d].left == level + 1:
            rule_out(sets, nogoods, d, nogood)
    return depth


@inner
def nogood_without_misses(sets, nogoods, depth):
    """Return a nogood of a set without misses left: some word lacks each letter that splits it."""
    start, stop = sets.frames[depth].start, sets.frames[depth].stop
    nogood = begin(nogoods, 0)
    if nogood == FULL:
        return nogood
    row, many, letter = sets.rows[depth], 2, 0
    nogoods.union[0], nogoods.union[1] = row[start], row[start + 1]
    for i in range(start + 1, stop):
        if _alone(sets, row[start], row[i]):
            nogoods.union[1] = row[i]
            break
    while letter < sets.hits.shape[1]:
        if _all_hold(sets, nogoods, letter, many):
            for i in range(start, stop):
                if sets.codes[row[i], letter] == 0:
                    nogoods.union[many] = row[i]
                    break
            many += 1
            letter = 0
        else:
            letter += 1
    return end(sets, nogoods, nogood, many)


@inner
def _alone(sets, word, other):
    """Return True if no letter that both words have splits them."""
    for letter in letters_of(sets, word):
        if 0 != sets.codes[other, letter] != sets.codes[word, letter]:
            return False
    return True


@inner
def _all_hold(sets, nogoods, letter, many):
    """Return True if all words of the union have a letter, and it splits some of them."""
    code, split = sets.codes[nogoods.union[0], letter], False
    for i in range(many):
        other = sets.codes[nogoods.union[i], letter]
        if other == 0:
            return False
        split |= other != code
    return split


@inner
def nogood_of(sets, nogoods, depth):
    """Return a nogood of a set whose letters are all ruled out: a union, one nogood per letter."""
    level = sets.frames[depth].left
    nogood = begin(nogoods, level)
    if nogood == FULL:
        return nogood
    letters, starts = sets.ruled.shape[1], nogoods.starts
    best, fewest = np.int64(-1), np.int64(1 << 60)
    for letter in range(letters):  # find the smallest to begin with
        other = sets.ruled[depth, letter]
        if sets.parts[depth, letter] and starts[other + 1] - starts[other] < fewest:
            best, fewest = np.int64(other), starts[other + 1] - starts[other]
    many, used = _add(nogoods, nogood, best, 0), 1
    nogoods.used[0] = best
    letter = 0
    while letter < letters:
        code, split = sets.codes[nogoods.union[0], letter], False
        for i in range(1, many):
            split |= sets.codes[nogoods.union[i], letter] != code
        if not split or _answered(nogoods, letter, used) >= 0:
            letter += 1
            continue
        other = _fewest(sets, nogoods, depth, nogood, letter)
        many = _add(nogoods, nogood, other, many)
        nogoods.used[used] = other
        used += 1
        letter = 0
    for letter in range(letters):
        nogoods.answers[nogood, letter] = _answered(nogoods, letter, used)
    return end(sets, nogoods, nogood, many)


@inner
def _answered(nogoods, letter, used):
    """Return a nogood of the union that lacks a letter, or -1."""
    for k in range(used):
        if nogoods.codes[nogoods.used[k], letter] == 0:
            return np.int64(nogoods.used[k])
    return np.int64(-1)


@inner
def _fewest(sets, nogoods, depth, nogood, letter):
    """Return a nogood, among those that rule out a letter, that adds few words to the union."""
    best, least, seen = np.int64(sets.ruled[depth, letter]), 1 << 30, 0
    level = sets.frames[depth].left - 1
    for i in range(-1, sets.many[depth]):
        other = sets.ruled[depth, letter] if i < 0 else sets.lists[depth, i]
        if nogoods.level[other] == level and nogoods.codes[other, letter] == 0:
            more = 0
            for j in range(nogoods.starts[other], nogoods.starts[other + 1]):
                more += nogoods.inside[nogoods.words[j]] != nogood
            if more < least:
                best, least = np.int64(other), more
            seen += 1
            if seen > CHOICES:
                break
    return best


@inner
def _add(nogoods, nogood, other, many):
    """Add the words of another nogood to the union; return its size."""
    for j in range(nogoods.starts[other], nogoods.starts[other + 1]):
        word = nogoods.words[j]
        if nogoods.inside[word] != nogood:
            nogoods.inside[word] = nogood
            nogoods.union[many] = word
            many += 1
    return many


@inner
def begin(nogoods, level):
    """Return the number of a new nogood, or FULL."""
    nogood = nogoods.size[0]
    if nogood >= len(nogoods.level) or nogoods.starts[nogood] + len(nogoods.inside) > len(nogoods.words):
        return np.int64(FULL)
    nogoods.level[nogood] = level
    fill(nogoods.answers[nogood], -1)
    return np.int64(nogood)


@inner
def end(sets, nogoods, nogood, many):
    """Store the union as a nogood."""
    start = nogoods.starts[nogood]
    for i in range(many):
        nogoods.words[start + i] = nogoods.union[i]
    for letter in range(nogoods.codes.shape[1]):
        code = sets.codes[nogoods.union[0], letter]
        for i in range(1, many):
            if sets.codes[nogoods.union[i], letter] != code:
                code = SPLIT
                break
        nogoods.codes[nogood, letter] = code
    nogoods.starts[nogood + 1] = start + many
    nogoods.size[0] += 1
    return nogood


@inner
def nogood_of_disjoint_words(sets, nogoods, depth):
    """Return a nogood of words that share no splitting letter, if there are enough to lose the set; or NONE.

    A letter hits at most one of them, so each miss removes at most one.
    """
    frame, row = sets.frames[depth], sets.rows[depth]
    start, stop = frame.start, frame.stop
    first, parts, open_letters = sets.first, sets.parts[depth], sets.open_letters
    fill(first, 0)
    fewest, most, many = 1 << 30, 0, 0
    for i in range(start, stop):
        letters = 0
        for letter in letters_of(sets, row[i]):
            letters += parts[letter]
        open_letters[i] = letters
        fewest, most = min(fewest, letters), max(most, letters)
    for letters in range(fewest, most + 1):
        for i in range(start, stop):
            if open_letters[i] == letters and _stranger(sets, first, parts, row[i]):
                nogoods.union[many] = row[i]
                many += 1
    if many < frame.left + 2:
        return np.int64(NONE)
    nogood = begin(nogoods, many - 2)
    return nogood if nogood == FULL else end(sets, nogoods, nogood, many)


@inner
def _stranger(sets, taken, parts, word):
    """Return True if a word has none of the taken letters; then its letters are taken too."""
    for letter in letters_of(sets, word):
        if parts[letter] and taken[letter]:
            return False
    for letter in letters_of(sets, word):
        taken[letter] = parts[letter]
    return True
