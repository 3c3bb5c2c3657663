"""The CUDA backend: kernels rank, count, refine and mark; everything else is the reference's torch."""

from functools import partial

from gpulingo.tensors import reference
from gpulingo.tensors.cuda.capped import greatest_capped as greatest_capped
from gpulingo.tensors.cuda.class_counts import class_counts as class_counts
from gpulingo.tensors.cuda.class_counts import most_classes as most_classes
from gpulingo.tensors.cuda.patterns import paired_patterns as paired_patterns
from gpulingo.tensors.cuda.patterns import patterns as patterns
from gpulingo.tensors.cuda.rank import rank as rank
from gpulingo.tensors.cuda.refine import refined as refined

uses_ceilings = False
split = partial(reference.split, paired=paired_patterns)
using_hints = reference.using_hints
