"""Words become tensors: a strategy evaluator and optimiser for word-guessing games.

Importing it loads nothing else: a public name loads its module when it is first used.

>>> import gpulingo
>>> gpulingo.simulate(["dents", "dozes", "reads"], "parts").mean_points
433.3333333333333
"""

# Module -> its public names, lowest layer first.
PUBLIC = {
    "games.game": "Game",
    "games.catalogue": "UnknownGameError find_game lingo",
    "games.marks": "ContradictionError marks pattern",
    "words.wordlist": "MissingListError UnknownWordError WordList WordListError",
    "words.listing": "Listing embedded find parse read",
    "words.letters": "leave",
    "words.choice": "feedback find_words",
    "words.levels": "level_targets levels_of words_up_to",
    "trees.tree": "Tree",
    "trees.checkpoint": "CheckpointError read_checkpoint write_checkpoint",
    "trees.text": "tree_lines",
    "trees.verify": "verify",
    "advice.outlook": "GuessStats",
    "advice.round": "Round",
    "advice.review": "Review SetValue Turn",
    "match.referee": "PlayerError",
    "tensors.device": "Backend DeviceError",
    "tensors.wordtable": "WordTable encode",
    "tensors.frontier": "Frontier frontier whole",
    "tensors.objective": "Objective",
    "tensors.outcomes": "Ranked Split",
    "tensors.patterns": "patterns",
    "tensors.operations": "rank split",
    "tiles.bag": "Bag find_bag",
    "tiles.spelling": "Spelling",
    "tiles.racks": "RackNumbers",
    "tiles.best_words": "BestWords best_words",
    "tiles.rack_table": "RackTable rack_table",
    "tiles.summary": "DrawSummary Draws TileGain draw_summary",
    "strategies.strategy": "Choice History Position Strategy",
    "strategies.objectives": "ObjectiveOf parts",
    "strategies.registry": "named",
    "strategies.history": "Searcher position_after",
    "strategies.simulation": "Build Simulation",
    "strategies.build": "build simulate",
    "bounds.arrays": "CertificateError",
    "bounds.partitions": "Evaluated Partition",
    "bounds.evidence": "Evidence",
    "bounds.certificate": "Certificate read_certificate",
    "bounds.checker": "prove",
    "search.stages": "Stage",
    "search.solver": "Solver",
    "search.solve": "Solution solve",
    "search.rounds": "Suggestions review suggest",
}
HOMES = {name: f"gpulingo.{module}" for module, names in PUBLIC.items() for name in names.split()}
__all__ = [*HOMES, "__version__"]

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:  # the same names for type checkers, which cannot follow the table
    from gpulingo.advice.outlook import GuessStats as GuessStats
    from gpulingo.advice.review import Review as Review
    from gpulingo.advice.review import SetValue as SetValue
    from gpulingo.advice.review import Turn as Turn
    from gpulingo.advice.round import Round as Round
    from gpulingo.bounds.arrays import CertificateError as CertificateError
    from gpulingo.bounds.certificate import Certificate as Certificate
    from gpulingo.bounds.certificate import read_certificate as read_certificate
    from gpulingo.bounds.checker import prove as prove
    from gpulingo.bounds.evidence import Evidence as Evidence
    from gpulingo.bounds.partitions import Evaluated as Evaluated
    from gpulingo.bounds.partitions import Partition as Partition
    from gpulingo.games.catalogue import UnknownGameError as UnknownGameError
    from gpulingo.games.catalogue import find_game as find_game
    from gpulingo.games.catalogue import lingo as lingo
    from gpulingo.games.game import Game as Game
    from gpulingo.games.marks import ContradictionError as ContradictionError
    from gpulingo.games.marks import marks as marks
    from gpulingo.games.marks import pattern as pattern
    from gpulingo.match.referee import PlayerError as PlayerError
    from gpulingo.search.rounds import Suggestions as Suggestions
    from gpulingo.search.rounds import review as review
    from gpulingo.search.rounds import suggest as suggest
    from gpulingo.search.solve import Solution as Solution
    from gpulingo.search.solve import solve as solve
    from gpulingo.search.solver import Solver as Solver
    from gpulingo.search.stages import Stage as Stage
    from gpulingo.strategies.build import build as build
    from gpulingo.strategies.build import simulate as simulate
    from gpulingo.strategies.history import Searcher as Searcher
    from gpulingo.strategies.history import position_after as position_after
    from gpulingo.strategies.objectives import ObjectiveOf as ObjectiveOf
    from gpulingo.strategies.objectives import parts as parts
    from gpulingo.strategies.registry import named as named
    from gpulingo.strategies.simulation import Build as Build
    from gpulingo.strategies.simulation import Simulation as Simulation
    from gpulingo.strategies.strategy import Choice as Choice
    from gpulingo.strategies.strategy import History as History
    from gpulingo.strategies.strategy import Position as Position
    from gpulingo.strategies.strategy import Strategy as Strategy
    from gpulingo.tensors.device import Backend as Backend
    from gpulingo.tensors.device import DeviceError as DeviceError
    from gpulingo.tensors.frontier import Frontier as Frontier
    from gpulingo.tensors.frontier import frontier as frontier
    from gpulingo.tensors.frontier import whole as whole
    from gpulingo.tensors.objective import Objective as Objective
    from gpulingo.tensors.operations import rank as rank
    from gpulingo.tensors.operations import split as split
    from gpulingo.tensors.outcomes import Ranked as Ranked
    from gpulingo.tensors.outcomes import Split as Split
    from gpulingo.tensors.patterns import patterns as patterns
    from gpulingo.tensors.wordtable import WordTable as WordTable
    from gpulingo.tensors.wordtable import encode as encode
    from gpulingo.tiles.bag import Bag as Bag
    from gpulingo.tiles.bag import find_bag as find_bag
    from gpulingo.tiles.best_words import BestWords as BestWords
    from gpulingo.tiles.best_words import best_words as best_words
    from gpulingo.tiles.rack_table import RackTable as RackTable
    from gpulingo.tiles.rack_table import rack_table as rack_table
    from gpulingo.tiles.racks import RackNumbers as RackNumbers
    from gpulingo.tiles.spelling import Spelling as Spelling
    from gpulingo.tiles.summary import Draws as Draws
    from gpulingo.tiles.summary import DrawSummary as DrawSummary
    from gpulingo.tiles.summary import TileGain as TileGain
    from gpulingo.tiles.summary import draw_summary as draw_summary
    from gpulingo.trees.checkpoint import CheckpointError as CheckpointError
    from gpulingo.trees.checkpoint import read_checkpoint as read_checkpoint
    from gpulingo.trees.checkpoint import write_checkpoint as write_checkpoint
    from gpulingo.trees.text import tree_lines as tree_lines
    from gpulingo.trees.tree import Tree as Tree
    from gpulingo.trees.verify import verify as verify
    from gpulingo.words.choice import feedback as feedback
    from gpulingo.words.choice import find_words as find_words
    from gpulingo.words.letters import leave as leave
    from gpulingo.words.levels import level_targets as level_targets
    from gpulingo.words.levels import levels_of as levels_of
    from gpulingo.words.levels import words_up_to as words_up_to
    from gpulingo.words.listing import Listing as Listing
    from gpulingo.words.listing import embedded as embedded
    from gpulingo.words.listing import find as find
    from gpulingo.words.listing import parse as parse
    from gpulingo.words.listing import read as read
    from gpulingo.words.wordlist import MissingListError as MissingListError
    from gpulingo.words.wordlist import UnknownWordError as UnknownWordError
    from gpulingo.words.wordlist import WordList as WordList
    from gpulingo.words.wordlist import WordListError as WordListError

    __version__: str
else:

    def __getattr__(name: str) -> object:
        """Load a public name from its module, and check what it is called with from then on."""
        from importlib import import_module

        from gpulingo.storage.arguments import checked

        if name == "__version__":
            return import_module("gpulingo.storage.printed").version()
        if name not in HOMES:
            raise AttributeError(f"module 'gpulingo' has no attribute {name!r}: it has {', '.join(HOMES)}")
        return globals().setdefault(name, checked(getattr(import_module(HOMES[name]), name), HOMES))


def __dir__() -> list[str]:
    """The public names beside the module's own."""
    return sorted({*globals(), *__all__})
