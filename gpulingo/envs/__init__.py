"""Environments of Gymnasium: importing this registers them, without importing torch."""

from gymnasium.envs.registration import register

for name, length in (("Wordle", 5), ("Lingo", 5), ("Hangman", 5), ("Mastermind", 4)):
    register(
        id=f"gpulingo/{name}-v0",
        entry_point="gpulingo.envs.rounds:RoundsEnv",
        vector_entry_point="gpulingo.envs.rounds:RoundsVectorEnv",
        kwargs={"game": name.lower(), "length": length},
    )
