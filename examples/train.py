"""A small network learns Wordle on 200 words: it sees the marks so far and learns to name the word.

    python examples/train.py [BATCHES [DEVICE]]

All rounds of a batch are one tensor. The network plays them by lot, as often as it believes in a word, and
is then told the words. The last lines compare its mean with that of the best strategy of the list.
"""

import sys

import torch
from torch import Tensor, nn

import gpulingo

MARKS, HIDDEN = 3, 512


def hints(rounds: gpulingo.Rounds) -> Tensor:
    """[B, F] float32: which mark each letter has shown at each place."""
    table = rounds.table
    letters = table.letters[rounds.guesses.clamp(min=0)].long()  # [B, T, N]
    places = torch.arange(table.length, device=table.device)
    numbers = ((places * len(table.alphabet) + letters) * MARKS + rounds.marks).flatten(1)
    made = (rounds.guesses >= 0).float().repeat_interleave(table.length, 1)
    size = table.length * len(table.alphabet) * MARKS
    return torch.zeros(rounds.count, size, device=table.device).scatter_reduce_(1, numbers, made, "amax")


def train(words: list[str], batches: int, device: str) -> nn.Module:
    """Return a network that gives each word a logit."""
    torch.manual_seed(1)
    rounds = gpulingo.Rounds(words, "wordle", 1024, device=device)
    size = hints(rounds).shape[1]
    network = nn.Sequential(nn.Linear(size, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, len(words))).to(device)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.002)
    for _ in range(batches):
        rounds.reset(torch.ones_like(rounds.done))
        for _ in range(rounds.game.turns):
            open_ = ~rounds.done
            logits = network(hints(rounds))
            losses = nn.functional.cross_entropy(logits, rounds.targets.long(), reduction="none")
            optimiser.zero_grad()
            losses[open_].mean().backward()
            optimiser.step()
            rounds.step(torch.multinomial(logits.detach().softmax(1), 1)[:, 0].to(torch.int32))
            if rounds.done.all():
                break
    return network


@torch.no_grad()
def mean_guesses(network: nn.Module, words: list[str], device: str) -> float:
    """Mean guesses over all words; a word that is not found counts one more than there are turns."""
    rounds = gpulingo.Rounds(words, "wordle", targets=words, device=device)
    while not rounds.done.all():
        rounds.step(network(hints(rounds)).argmax(1).to(torch.int32))
    return float((rounds.game.turns + 1 - rounds.credits).double().mean())


def main(batches: int, device: str) -> None:
    """Train on every 13th answer of the embedded list, and print the regret."""
    torch.set_num_threads(1)  # more cost several times the CPU time of so small a network
    words = gpulingo.find_words(5, targets="answers").targets[::13][:200]
    mean = mean_guesses(train(words, batches, device), words, device)
    best = gpulingo.solve(words, game="wordle").tree.mean_guesses
    print(f"the network: {mean:.3f} guesses on average over {len(words)} words")
    print(f"best play:   {best:.3f}, so the regret is {mean - best:.3f} per round")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["60"])[0]), (sys.argv[2:] or ["cpu"])[0])
