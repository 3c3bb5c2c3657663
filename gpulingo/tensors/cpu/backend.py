"""The CPU backend: what carries out each operation."""

from gpulingo.tensors.cpu.capped import greatest_capped as greatest_capped
from gpulingo.tensors.cpu.class_counts import class_counts as class_counts
from gpulingo.tensors.cpu.class_counts import most_classes as most_classes
from gpulingo.tensors.cpu.hints import using_hints as using_hints
from gpulingo.tensors.cpu.lines import line_search as line_search
from gpulingo.tensors.cpu.most_held import most_held_tree as most_held_tree
from gpulingo.tensors.cpu.racks import best_of_racks as best_of_racks
from gpulingo.tensors.cpu.racks import draws_by_rank as draws_by_rank
from gpulingo.tensors.cpu.rank import paired_patterns as paired_patterns
from gpulingo.tensors.cpu.rank import rank as rank
from gpulingo.tensors.cpu.refine import refined as refined
from gpulingo.tensors.cpu.ruled_search import value_search as value_search
from gpulingo.tensors.cpu.split import split as split

uses_ceilings = True
