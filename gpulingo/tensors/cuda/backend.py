"""The CUDA backend: ranking has kernels, everything else is the reference's torch around them."""

from functools import partial

from gpulingo.tensors import reference
from gpulingo.tensors.cuda.rank import rank as rank

uses_ceilings = False
paired_patterns = reference.paired_patterns
split = reference.split
refined = reference.refined
using_hints = reference.using_hints
class_counts = partial(reference.class_counts, rank=rank)
most_classes = partial(reference.most_classes, rank=rank)
greatest_capped = reference.greatest_capped
value_search = reference.value_search
line_search = reference.line_search
most_held_tree = reference.most_held_tree
best_of_racks = reference.best_of_racks
draws_by_rank = reference.draws_by_rank
