#!/usr/bin/env python3
"""Play hangman of bsdgames through a terminal, with its word list and the weights of its draw.

    python benchmarks/bsdgames.py WORDS WEIGHTS [ROUNDS]

docs/games.md has the line that writes both files. The strategy is `frequency`, once with the weights and once
without. Only the first plays; misses of the second are counted on the words that were drawn, for a word and a
strategy say which letters are guessed.
"""

from __future__ import annotations

import os
import pty
import re
import select
import sys
from collections.abc import Iterator
from pathlib import Path

from gpulingo import Tree, find_words, simulate
from gpulingo.games.catalogue import feedback_of
from gpulingo.trees.text import guess_names

GAME, LIVES = "hangman7", 7
PART = re.compile(rb"\x1b\[([\d;?]*)([A-Za-z])|\x1b[()][A-Z0-9]|\x1b[>=78]|[\x0e\x0f]|([\x08-\x0d])|([ -~])")


class Screen:
    """The 24 lines of a terminal in which a program runs: moves of the cursor and text."""

    def __init__(self, command: str, *arguments: str) -> None:
        self.rows, self.row, self.column = [[" "] * 81 for _ in range(25)], 0, 0
        child, self.file = pty.fork()
        if not child:
            os.environ["TERM"] = "vt100"
            os.execv(command, [command, *arguments])

    def read(self, letter: str = "") -> str:
        """Return the text once a letter, or none, was guessed and the program waits for a key."""
        while True:
            before = self.text(self.row)[: self.column]
            guessed = self.text(2).rpartition("Guessed:")[2].strip()
            ended = before.rstrip() == "Another word?" and letter
            if ended or (before == "Guess:  " and (letter in guessed if letter else not guessed)):
                return self.text()
            if not select.select([self.file], [], [], 5)[0]:
                raise TimeoutError(f"the game waits for something else:\n{self.text()}")
            for part in PART.finditer(os.read(self.file, 1 << 16)):
                self._take(*part.groups())

    def write(self, text: str) -> None:
        """Press keys."""
        os.write(self.file, text.encode())

    def text(self, row: int | None = None) -> str:
        """All lines, or one."""
        return "\n".join("".join(each) for each in (self.rows if row is None else [self.rows[row]]))

    def _take(self, numbers: bytes | None, kind: bytes | None, control: bytes | None, sign: bytes) -> None:
        given = [int(number) for number in (numbers or b"").split(b";") if number.isdigit()]
        count = (given or [1])[0]
        if sign:
            self.rows[self.row][self.column] = sign.decode()
            self.column += 1
        elif control:
            self.column = 0 if control == b"\r" else self.column - (control == b"\x08")
            self.row += control == b"\n"
        elif kind in (b"A", b"B"):
            self.row += count if kind == b"B" else -count
        elif kind in (b"C", b"D"):
            self.column += count if kind == b"C" else -count
        elif kind == b"H":
            self.row, self.column = (number - 1 for number in (given if len(given) == 2 else (1, 1)))
        elif kind in (b"J", b"K"):
            self.rows[self.row][self.column :] = " " * (81 - self.column)
            if kind == b"J":
                self.rows[self.row + 1 :] = [[" "] * 81 for _ in self.rows[self.row + 1 :]]


def letters(tree: Tree, words: list[str]) -> Iterator[str]:
    """Yield letters of a tree; it is sent the word as far as it is shown, `-` for a letter."""
    names, node, shown = guess_names(tree.game, words), 0, ""
    while True:
        guess = names[tree.guess[node]]
        for letter in guess:  # a word that is the only one left, letter by letter
            if letter not in shown:
                shown = yield letter
        marks = "".join("O" if sign == guess else "_" for sign in shown)
        node = tree.child(node, feedback_of(tree.game).pattern(marks)) if len(guess) == 1 else None
        if node is None:
            return


def misses(tree: Tree, words: list[str], word: str) -> int:
    """Misses on a word, at most the lives."""
    guesser, missed, seen = letters(tree, words), 0, set[str]()
    letter = next(guesser)
    while True:
        seen.add(letter)
        missed += letter not in word
        if seen >= set(word) or missed == LIVES:
            return missed
        letter = guesser.send("".join(sign if sign in seen else "-" for sign in word))


def play(screen: Screen, trees: dict[int, tuple[Tree, list[str]]]) -> tuple[str, int]:
    """Play one round; return the word and the misses."""
    text = screen.read()
    shown = text.split("Word:")[1].split()[0]
    tree, words = trees[len(shown)]
    guesser, missed = letters(tree, words), 0
    letter = next(guesser)
    while True:
        screen.write(letter)
        text, before = screen.read(letter), shown
        shown = text.split("Word:")[1].split()[0]
        missed += shown == before and "You got it!" not in text
        if "Another word?" in text:
            lost = re.search(r'the word was "(\w+)"', text)
            screen.write("y")
            return (lost[1] if lost else shown), missed
        letter = guesser.send(shown)


def main(path: str, weights: str, rounds: str = "500") -> None:
    """Play, and print the mean misses of both."""
    trees: dict[bool, dict[int, tuple[Tree, list[str]]]] = {True: {}, False: {}}
    for weighted, by_length in trees.items():
        for length in {len(word) for word in Path(path).read_text().split()}:
            words = find_words(length, path, None, weights if weighted else None)
            by_length[length] = simulate(words, "frequency", GAME).tree, words.words
    screen, told, other = Screen("/usr/games/hangman"), list[int](), list[int]()
    for _ in range(int(rounds)):
        word, missed = play(screen, trees[True])
        assert missed == misses(*trees[True][len(word)], word), word
        told.append(missed)
        other.append(misses(*trees[False][len(word)], word))
    for name, each in ("with weights", told), ("without", other):
        lost = sum(missed == LIVES for missed in each)
        print(f"{name}: {sum(each) / len(each):.3f} misses on average, {lost} of {len(each)} words lost")


if __name__ == "__main__":
    main(*sys.argv[1:])
