"""Check a certificate by its own means: no bound is taken from the search that made it.

Only the two operations and the formulas of `bounds` are used, in the simplest order; sets are searched
without memory of others and without shortcuts. docs/bounds.md says why a certificate that passes is a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import torch
from torch import Tensor

from gpulingo.search.bounds import by_size, capped, most
from gpulingo.search.certificate import Certificate, CertificateError
from gpulingo.strategies.objectives import parts
from gpulingo.tensors.capped import greatest_capped
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective, Progress, Ranked
from gpulingo.tensors.rank import rank
from gpulingo.tensors.split import Split, split
from gpulingo.words.encode import WordTable

TOGETHER = 8  # openings checked in one call
WIDTH = 32  # guesses of a set that are listed first; eight times as many while that is not enough


class _Checker:
    def __init__(self, table: WordTable, progress: Progress | None) -> None:
        self.table, self.progress = table, progress
        self.pool = torch.arange(table.words, dtype=torch.int32, device=table.device)
        self.whole = frontier([self.pool])
        self.seen: dict[int, tuple[Tensor, Tensor]] = {}
        self.three: dict[int, Tensor] = {}

    def ranked(self, front: Frontier, left: int, width: int) -> tuple[Tensor, Tensor]:
        """The [S, width] guesses with most classes, and the bound of each and of all after it."""
        sizes = front.sizes[:, None]
        found = self.classes_made(front, width)
        return found.guesses, capped(sizes, found.ranks, found.ranks[:, :1].minimum(sizes), left)

    def classes_made(self, front: Frontier, width: int) -> Ranked:
        """The guesses with most classes, one more for a candidate."""
        objective = parts(int(front.sizes.max()), 2)
        return rank(self.table, front, self.pool, objective, width, progress=self.progress)

    def parted(self, openings: Tensor) -> Split:
        """The classes of several openings."""
        return split(self.table, self.whole.take(torch.zeros_like(openings)), openings.to(torch.int32))

    def by_two_turns(self, opening: int) -> tuple[Tensor, Tensor]:
        """Patterns of the classes of an opening, and what two turns find of each at most."""
        if opening not in self.seen:
            one = self.parted(torch.tensor([opening], device=self.table.device))
            self.seen[opening] = one.patterns, self.classes_made(one.frontier, 1).ranks[:, 0]
        return self.seen[opening]

    def by_three_turns(self, opening: int) -> Tensor:
        """What three turns find of each class of an opening at most, by two turns of the classes of all."""
        if opening not in self.three:
            classes, caps = self.all_classes
            front = self.parted(torch.tensor([opening], device=self.table.device)).frontier
            found = self.by_two_turns(opening)[1]
            whole = 1 + int(caps.sum(1).max())  # that three turns find of the whole list
            self.three[opening] = greatest_capped(classes, caps, front, found, self.progress).clamp(max=whole)
        return self.three[opening]

    @cached_property
    def all_classes(self) -> tuple[Tensor, Tensor]:
        """[W, W] int32 class of each word by each opening, and [W, K] int32 what two turns find of it."""
        words, device = self.table.words, self.table.device
        classes = torch.empty(words, words, dtype=torch.int32, device=device)
        found = []
        for opening in range(words):
            one = self.parted(torch.tensor([opening], device=device)).frontier
            classes[opening, one.members.long()] = one.owners.to(torch.int32)
            classes[opening, opening] = one.sets  # alone: found with one turn or with two
            found.append(torch.cat([self.by_two_turns(opening)[1], torch.tensor([2], device=device)]))
        return classes, torch.nn.utils.rnn.pad_sequence(found, batch_first=True).to(torch.int32)

    def guess_values(self, front: Frontier, guesses: Tensor, left: int) -> Tensor:
        """[S] int64: the most that can follow one guess for each set."""
        parted = split(self.table, front, guesses)
        value = parted.hits.to(torch.int64) * left
        if parted.frontier.sets:
            value.index_add_(0, parted.parents, self.best(parted.frontier, left - 1))
        return value

    def best(self, front: Frontier, left: int, width: int = WIDTH) -> Tensor:
        """[S] int64: the values of sets."""
        value = most(front.sizes, left) if left > 1 else torch.ones_like(front.sizes)
        large = (front.sizes > 2).nonzero().squeeze(1)
        if left == 1 or large.shape[0] == 0:
            return value
        some = front.take(large)
        width = min(width, self.table.words)
        guesses, bounds = self.ranked(some, left, 1 if left == 2 else width)
        found = bounds[:, 0].clone() if left == 2 else torch.zeros_like(large)
        for at in range(width if left > 2 else 0):
            open_ = (bounds[:, at] > found).nonzero().squeeze(1)
            if open_.shape[0] == 0:
                break
            tried = self.guess_values(some.take(open_), guesses[open_, at], left)
            found[open_] = found[open_].maximum(tried)
        if left > 2 and width < self.table.words:
            more = (bounds[:, -1] > found).nonzero().squeeze(1)
            if more.shape[0]:
                found[more] = self.best(some.take(more), left, 8 * width)
        value[large] = found
        return value

    def exceeds(self, front: Frontier, left: int, claims: Tensor, width: int = WIDTH) -> bool:
        """Whether some set has a guess that leads to more than its claim."""
        some = (claims < most(front.sizes, left)).nonzero().squeeze(1)
        if some.shape[0] == 0:
            return False
        front, claims, width = front.take(some), claims[some], min(width, self.table.words)
        guesses, bounds = self.ranked(front, left, width)
        for at in range(width):
            open_ = (bounds[:, at] > claims).nonzero().squeeze(1)
            if open_.shape[0] == 0:
                return False
            if bool((self.guess_values(front.take(open_), guesses[open_, at], left) > claims[open_]).any()):
                return True
        more = (bounds[:, -1] > claims).nonzero().squeeze(1)
        if more.shape[0] == 0 or width == self.table.words:
            return False
        return self.exceeds(front.take(more), left, claims[more], 8 * width)


def prove(table: WordTable, certificate: Certificate, progress: Progress | None = None) -> Iterator[int]:
    """Check a certificate, opening by opening.

    Args:
        table: the words of its list.
        certificate: what is to be checked.
        progress: told the pairs evaluated.
    Yields:
        How many openings have been found right so far, up to all of them.
    Raises:
        CertificateError: the bound of an opening does not follow from what the certificate names.
    """
    checker = _Checker(table, progress)
    most_classes = int(rank(table, checker.whole, checker.pool, parts(table.words, 3)).ranks[0, 0])
    sizes = torch.arange(1, table.words + 1, device=table.device)
    worth = torch.cat([sizes.new_zeros(1), by_size(sizes, most_classes, certificate.turns - 1)]).cpu()
    ranked = rank(table, checker.whole, checker.pool, Objective(worth), table.words, progress=progress)
    # An opening is found a turn sooner than a class of one word.
    by_sizes = torch.empty_like(ranked.ranks[0]).scatter_(0, ranked.guesses[0].long(), ranked.ranks[0] + 1)
    claimed = certificate.bounds.to(table.device)
    done = int((by_sizes <= claimed).sum())
    yield done
    rest = (by_sizes > claimed).nonzero().squeeze(1)
    for openings in rest.split(TOGETHER) if rest.shape[0] else ():
        derived = _derived(checker, certificate, openings, most_classes)
        for opening, follows in zip(openings.tolist(), derived.tolist(), strict=True):
            if opening in certificate.searched:
                follows = _searched(checker, certificate, opening)
            if follows > int(certificate.bounds[opening]):
                raise CertificateError(
                    f"the opening at place {opening} of the list is said to have at most"
                    f" {int(certificate.bounds[opening])}, what is named for it gives {follows}: search again"
                )
        done += openings.shape[0]
        yield done


def _derived(checker: _Checker, certificate: Certificate, openings: Tensor, most_classes: int) -> Tensor:
    """[K] int64: bounds of openings by sizes of classes and by the most classes a guess makes of them."""
    left = certificate.turns - 1
    parted = checker.parted(openings)
    sizes, parents = parted.frontier.sizes, parted.parents
    bounds = by_size(sizes, most_classes, left)
    looked = certificate.looked.to(sizes.device)[openings]
    chosen = []
    for at, opening in enumerate(openings.tolist()):
        mine = (parents == at).nonzero().squeeze(1)
        if bool(certificate.twofold[opening]) and left >= 3:
            three = checker.by_three_turns(opening) + (left - 3) * sizes[mine]
            bounds[mine] = bounds[mine].minimum(three)
        for other in certificate.near.get(opening, ()):
            by_other = _by_other(checker, certificate, parted.frontier.take(mine), other, most_classes)
            bounds[mine] = bounds[mine].minimum(by_other)
        chosen.append(mine[sizes[mine].sort(descending=True, stable=True).indices[: int(looked[at])]])
    some = torch.cat(chosen)
    some = some[sizes[some] > 2]
    if some.shape[0]:
        bounds[some] = bounds[some].minimum(checker.ranked(parted.frontier.take(some), left, 1)[1][:, 0])
    return torch.full_like(openings, certificate.turns).index_add_(0, parents, bounds)


def _by_other(
    checker: _Checker, certificate: Certificate, classes: Frontier, other: int, most_classes: int
) -> Tensor:
    """[C] int64: bounds of classes by those of another opening, which hold their parts."""
    left = certificate.turns - 1
    patterns, found = checker.by_two_turns(other)
    parted = split(checker.table, classes, torch.full_like(classes.firsts, other))
    sizes, inside = parted.frontier.sizes, torch.searchsorted(patterns, parted.patterns)
    two = found[inside].minimum(sizes + 1)
    worth = capped(sizes, two, two.minimum(sizes), left).minimum(by_size(sizes, most_classes, left))
    if bool(certificate.twofold[other]) and left >= 3:
        worth = worth.minimum(checker.by_three_turns(other)[inside] + (left - 3) * sizes)
    # The other opening itself is alone in its part.
    return (parted.hits.to(torch.int64) * left).index_add_(0, parted.parents, worth)


def _searched(checker: _Checker, certificate: Certificate, opening: int) -> int:
    """The bound of an opening by the claims for its classes, each of which is checked."""
    classes = checker.parted(torch.tensor([opening], device=checker.table.device)).frontier
    claims = certificate.searched[opening].to(checker.table.device)
    if claims.shape[0] != classes.sets or checker.exceeds(classes, certificate.turns - 1, claims):
        raise CertificateError(f"a class of the opening at place {opening} is worth more than its bound")
    return certificate.turns + int(claims.sum())
