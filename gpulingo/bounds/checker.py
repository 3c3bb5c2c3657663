"""Check a certificate by its own means: no bound is taken from the search that made it.

Only operations on sets and the formulas of `bounds` are used, in the simplest order, with `ceilings` that are
counted here. Sets are searched without memory of others and without shortcuts. docs/bounds.md says why a
certificate that passes is a proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import torch
from torch import Tensor

from gpulingo.bounds.certificate import Certificate, CertificateError
from gpulingo.bounds.constraints import Facts, Key
from gpulingo.bounds.effort import LARGER, LOOKED, OPENING, OTHER, SEARCHED, SEEN, Effort, Report
from gpulingo.bounds.formulas import by_size, capped, most, of_part, of_parts
from gpulingo.bounds.superset_counts import Ceilings
from gpulingo.bounds.supersets import LargerSets
from gpulingo.strategies.objectives import parts
from gpulingo.tensors.frontier import Frontier, frontier, joined, whole
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import greatest_capped, rank, refined, split
from gpulingo.tensors.outcomes import CappedClasses, Ranked, Split
from gpulingo.tensors.threads import one_each
from gpulingo.tensors.wordtable import WordTable

TOGETHER = 8  # openings checked in one call
AGAIN = "remove the certificate and search again"
WIDTH = 32  # guesses of a set that are listed first; eight times as many while that is not enough


class _Checker:
    def __init__(self, table: WordTable, progress: Progress | None, report: Report | None) -> None:
        self.table, self.progress, self.effort = table, progress, Effort(report)
        self.whole = whole(table)
        self.ceilings = Ceilings(table, LargerSets(Facts(table), {}))
        self.seen: dict[int, Tensor] = {}  # opening -> what two turns find of its classes
        self.three: dict[int, Tensor] = {}

    def ranked(self, front: Frontier, left: int, width: int) -> tuple[Tensor, Tensor]:
        """The [S, width] guesses with most classes, and the bound of each and of all after it."""
        sizes = front.sizes[:, None]
        found = self.classes_made(front, width)
        return found.guesses, capped(sizes, found.ranks, found.ranks[:, :1].minimum(sizes), left)

    def classes_made(self, front: Frontier, width: int) -> Ranked:
        """The guesses with most classes, one more for a candidate."""
        objective = parts(int(front.sizes.max()), 2)
        return rank(self.table, front, self.table.pool, objective, width, progress=self.progress)

    def parted(self, openings: Tensor) -> Split:
        """The classes of several openings."""
        return split(self.table, self.whole.take(torch.zeros_like(openings)), openings.to(torch.int32))

    def classes_of(self, opening: int) -> Frontier:
        """The classes of one opening."""
        return self.parted(torch.tensor([opening], device=self.table.device)).frontier

    def larger(self, keys: Sequence[Key]) -> LargerSets:
        """Sets given by facts, and what two turns find of them."""
        made = self.ceilings.larger
        for key in keys:
            if max(key) >= made.facts.count or made.facts.size(key) == 0:
                raise CertificateError(f"names facts {key}, which are true of no word: {AGAIN}")
            self.ceilings.count(key, self.progress)
            self.effort.step(LARGER)
        rest = [key for key in keys if key not in made.found]
        for at in range(0, len(rest), TOGETHER):
            some = rest[at : at + TOGETHER]
            sets = frontier([made.facts.members(key).to(self.table.device) for key in some])
            for key, found in zip(some, self.two_turns(sets).tolist(), strict=True):
                made.add(key, found)
        return made

    def two_turns(self, front: Frontier) -> Tensor:
        """[S] int64: what two turns find of sets."""
        return self.ceilings.first_two(front, more=True, progress=self.progress)

    def by_two_turns(self, opening: int) -> Tensor:
        """[C] int64: what two turns find of each class of an opening at most."""
        if opening not in self.seen:
            self.seen[opening] = self.two_turns(self.classes_of(opening))
            self.effort.step(SEEN)
        return self.seen[opening]

    def by_three_turns(self, opening: int) -> Tensor:
        """What three turns find of each class of an opening at most, by two turns of the classes of all."""
        if opening not in self.three:
            capped = self.all_classes
            front, found = self.classes_of(opening), self.by_two_turns(opening)
            at_most = 1 + int(capped.caps.sum(1).max())  # that three turns find of the whole list
            self.three[opening] = greatest_capped(capped, front, found, self.progress).clamp(max=at_most)
            self.effort.step(OTHER)
        return self.three[opening]

    @cached_property
    def all_classes(self) -> CappedClasses:
        """[W, W] class of each word by each opening, and [W, K] int32 what two turns find of it."""
        words, device = self.table.words, self.table.device
        found = [self.by_two_turns(opening) for opening in range(words)]
        most_classes = max(map(len, found))
        small = next(t for t in (torch.uint8, torch.int16, torch.int32) if most_classes <= torch.iinfo(t).max)
        classes = torch.empty(words, words, dtype=small, device=device)
        for opening in range(words):
            one = self.classes_of(opening)
            classes[opening, one.members.long()] = one.owners.to(small)
            classes[opening, opening] = one.sets  # alone: found with one turn or with two
        two = torch.tensor([2], device=device)
        caps = [torch.cat([one, two]) for one in found]
        padded = torch.nn.utils.rnn.pad_sequence(caps, batch_first=True)
        return CappedClasses(classes, padded.to(torch.int32))

    def by_other(self, openings: Tensor, other: int, three: bool, left: int) -> tuple[Tensor, ...]:
        """Bounds of the classes of each opening by those of another, which hold their parts.

        Args:
            three: whether three turns of the classes of the other are known.
            left: turns left after the opening.
        """
        alone = frontier([torch.tensor([other], dtype=torch.int32, device=self.table.device)])
        sets = joined([self.classes_of(other), alone])
        starts = sets.offsets[:-1][sets.owners]
        words = torch.arange(1, starts.shape[0] + 1, device=starts.device) - starts
        two = torch.cat([self.by_two_turns(other), starts.new_tensor([2])])[sets.owners]
        most_of = None
        if three and left >= 3:
            most_of = torch.cat([self.by_three_turns(other), starts.new_tensor([3])])[sets.owners]
        worth = of_part(words, two, most_of, left)
        steps = torch.where(words == 1, worth, worth - worth.roll(1))
        made = refined(self.table, openings.to(torch.int32), sets, steps, self.progress)
        return of_parts(made.worth).split(made.counts.tolist())

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


def prove(
    table: WordTable,
    certificate: Certificate,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Iterator[int]:
    """Check a certificate, opening by opening.

    Args:
        table: the words of its list.
        certificate: what is to be checked.
        progress: told the pairs evaluated.
        report: told the work that is done, and all that there is.
    Yields:
        How many openings have been found right so far, up to all of them.
    Raises:
        CertificateError: the bound of an opening does not follow from what the certificate names.
    """
    checker = _Checker(table, progress, report)
    most_classes = int(rank(table, checker.whole, table.pool, parts(table.words, 3)).ranks[0, 0])
    sizes = torch.arange(1, table.words + 1, device=table.device)
    worth = torch.cat([sizes.new_zeros(1), by_size(sizes, most_classes, certificate.turns - 1)]).cpu()
    ranked = rank(table, checker.whole, table.pool, Objective(worth), table.words, progress=progress)
    # An opening is found a turn sooner than a class of one word.
    by_sizes = ranked.by_word[0] + 1
    claimed = certificate.bounds.to(table.device)
    done = int((by_sizes <= claimed).sum())
    yield done
    rest = (by_sizes > claimed).nonzero().squeeze(1)
    checker.effort.begin(certificate, rest.cpu())
    larger = checker.larger(certificate.larger)
    near = _by_others(checker, certificate, set(rest.tolist()))
    for openings in rest.split(TOGETHER) if rest.shape[0] else ():
        derived = _derived(checker, certificate, openings, near, larger, most_classes)
        for opening, follows in zip(openings.tolist(), derived.tolist(), strict=True):
            if opening in certificate.searched:
                follows = _searched(checker, certificate, opening)
                checker.effort.step(SEARCHED)
            if follows > int(certificate.bounds[opening]):
                raise CertificateError(
                    f"the opening at place {opening} of the list is said to have at most"
                    f" {int(certificate.bounds[opening])}, what is named for it gives {follows}: {AGAIN}"
                )
            checker.effort.step(OPENING + LOOKED * bool(certificate.looked[opening] > 0))
        done += openings.shape[0]
        yield done


def _by_others(checker: _Checker, certificate: Certificate, openings: set[int]) -> dict[int, Tensor]:
    """Opening -> [C] int32 bounds of its classes by the openings that the certificate names for it."""
    named: dict[int, list[int]] = {}
    for opening in sorted(openings & certificate.near.keys()):
        for other in certificate.near[opening]:
            named.setdefault(int(other), []).append(opening)
    found: dict[int, Tensor] = {}
    for other, some in named.items():
        chosen = torch.tensor(some, device=checker.table.device)
        three = bool(certificate.twofold[other])
        worth = checker.by_other(chosen, other, three, certificate.turns - 1)
        checker.effort.step(OTHER)
        for opening, bounds in zip(some, worth, strict=True):
            small = bounds.to(torch.int32)
            found[opening] = found[opening].minimum(small) if opening in found else small
    return found


@one_each()
def _derived(
    checker: _Checker,
    certificate: Certificate,
    openings: Tensor,
    near: dict[int, Tensor],
    larger: LargerSets,
    most_classes: int,
) -> Tensor:
    """[K] int64: bounds of openings by sizes of classes, by others, and by the most classes a guess makes."""
    left = certificate.turns - 1
    parted = checker.parted(openings)
    sizes, parents = parted.frontier.sizes, parted.parents
    two = larger.bounds(parted.frontier)
    bounds = by_size(sizes, most_classes, left).minimum(capped(sizes, two, two.minimum(sizes), left))
    looked = certificate.looked.to(sizes.device)[openings]
    chosen = []
    for at, opening in enumerate(openings.tolist()):
        mine = (parents == at).nonzero().squeeze(1)
        if bool(certificate.twofold[opening]) and left >= 3:
            three = checker.by_three_turns(opening) + (left - 3) * sizes[mine]
            bounds[mine] = bounds[mine].minimum(three)
        if opening in near:
            bounds[mine] = bounds[mine].minimum(near[opening])
        if opening in checker.seen:
            two = checker.by_two_turns(opening)
            worth = capped(sizes[mine], two, two.minimum(sizes[mine]), left)
            bounds[mine] = torch.where(sizes[mine] > 2, bounds[mine].minimum(worth), bounds[mine])
        else:
            chosen.append(mine[sizes[mine].sort(descending=True, stable=True).indices[: int(looked[at])]])
    some = torch.cat([parents.new_empty(0), *chosen])
    some = some[sizes[some] > 2]
    if some.shape[0]:
        two = checker.two_turns(parted.frontier.take(some))
        bounds[some] = bounds[some].minimum(capped(sizes[some], two, two.minimum(sizes[some]), left))
    return torch.full_like(openings, certificate.turns).index_add_(0, parents, bounds)


def _searched(checker: _Checker, certificate: Certificate, opening: int) -> int:
    """The bound of an opening by the claims for its classes, each of which is checked."""
    classes = checker.parted(torch.tensor([opening], device=checker.table.device)).frontier
    claims = certificate.searched[opening].to(checker.table.device)
    if claims.shape != (classes.sets,):
        raise CertificateError(
            f"the opening at place {opening} has {classes.sets} classes, not {claims.shape[0]}: {AGAIN}"
        )
    claims = claims.minimum(most(classes.sizes, certificate.turns - 1))
    if checker.exceeds(classes, certificate.turns - 1, claims):
        raise CertificateError(
            f"a class of the opening at place {opening} is worth more than its bound: {AGAIN}"
        )
    return certificate.turns + int(claims.sum())
