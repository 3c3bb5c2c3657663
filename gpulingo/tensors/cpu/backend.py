"""The CPU backend: the implementation of each operation."""

from gpulingo.tensors.cpu.marks import patterns as patterns
from gpulingo.tensors.cpu.marks import play as play
from gpulingo.tensors.cpu.most_classes import greatest_capped as greatest_capped
from gpulingo.tensors.cpu.most_classes import most_classes as most_classes
from gpulingo.tensors.cpu.rank import paired_patterns as paired_patterns
from gpulingo.tensors.cpu.rank import rank as rank
from gpulingo.tensors.cpu.rank import ranks as ranks
from gpulingo.tensors.cpu.split import refined as refined
from gpulingo.tensors.cpu.split import split as split
from gpulingo.tensors.cpu.split import using_hints as using_hints
