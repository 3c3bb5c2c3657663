"""Environments of Gymnasium: its own checks, rewards, masks and autoreset."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch
from sampled import quick

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.utils.passive_env_checker import data_shares_objects  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from gpulingo import simulate  # noqa: E402

ID = "gpulingo.envs:gpulingo/{}-v0"
WORDS = ["dents", "dozes", "reads", "roads", "lanes", "tides"]
GAMES = [
    ("Wordle", {}), ("Wordle", {"game": "wordle-hard", "words": WORDS, "reward": "information"}),
    ("Lingo", {"length": 7}), ("Lingo", {"game": "lingo-letter", "words": WORDS}),
    ("Hangman", {"words": WORDS, "reward": "win"}), ("Mastermind", {"length": 3}),
]  # fmt: skip
ANY = pytest.mark.parametrize(("name", "options"), GAMES, ids=[f"{name}-{len(rest)}" for name, rest in GAMES])


@ANY
def test_gymnasium_finds_nothing_wrong_with_one_round(name, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(ID.format(name), **options)
        check_env(env.unwrapped)


@ANY
def test_many_rounds_are_as_the_interface_says(name, options):
    env = gymnasium.make_vec(ID.format(name), num_envs=7, **options)
    single = gymnasium.make_vec(ID.format(name), num_envs=7, vectorization_mode="sync", **options)
    assert env.observation_space == single.observation_space and env.action_space == single.action_space
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    played = []
    for _ in range(2):
        env.action_space.seed(3)
        observation, info = env.reset(seed=5)
        assert observation in env.observation_space
        # Also in the info, as in Taxi of Gymnasium 1.4.0; AgileRL 2.58.0 looks there alone.
        assert info.get("action_mask") is observation.get("action_mask")
        assert data_equivalence(info, single.reset(seed=5)[1])
        rows = [(observation,)]
        for _ in range(15):
            observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
            assert observation in env.observation_space
            assert reward.dtype == np.float64 and terminated.dtype == truncated.dtype == bool
            assert reward.shape == terminated.shape == info["invalid"].shape == (7,) and not truncated.any()
            assert not data_shares_objects(observation, rows[-1][0])
            rows.append((observation, reward, terminated))
        played.append(rows)
    assert data_equivalence(*played, exact=True)


def test_a_round_that_ended_begins_again_at_the_next_step():
    env = gymnasium.make_vec(ID.format("Lingo"), num_envs=2, words=WORDS)
    env.reset(seed=1)
    target = env.rounds.targets.numpy().copy()
    other = (target + 1) % len(WORDS)
    observation, reward, terminated, _, _ = env.step(np.array([target[0], other[1]]))
    assert (reward.tolist(), terminated.tolist()) == ([500.0, 0.0], [True, False])
    assert observation["marks"][0, 0].tolist() == [2] * 5 and observation["turn"].tolist() == [1, 1]
    observation, reward, terminated, _, _ = env.step(np.array([0, target[1]]))
    assert (reward.tolist(), terminated.tolist()) == ([0.0, 400.0], [False, True])
    assert observation["turn"].tolist() == [0, 2] and (observation["guesses"][0] == -1).all()


def test_information_adds_up_to_the_bits_of_the_target():
    env = gymnasium.make(ID.format("Wordle"), words=WORDS, reward="information")
    for seed in range(5):
        env.reset(seed=seed)
        rewards, done = [], False
        for action in range(len(WORDS)):
            if not done:
                _, reward, done, _, _ = env.step(action)
                rewards.append(reward)
        assert done and sum(rewards) == pytest.approx(np.log2(len(WORDS)))


def test_a_masked_sample_is_always_legal():
    env = gymnasium.make_vec(ID.format("Hangman"), num_envs=9, words=WORDS, reward="win")
    observation, _ = env.reset(seed=1)
    wins = 0
    for _ in range(30):
        actions = env.action_space.sample(mask=tuple(observation["action_mask"]))
        observation, reward, _, _, info = env.step(actions)
        assert observation["action_mask"].any(1).all() and not info["invalid"].any()
        wins += reward.sum()
    assert wins > 0


def test_a_strategy_plays_an_environment():
    done = simulate(WORDS, "parts", "lingo")
    env = gymnasium.make_vec(ID.format("Lingo"), num_envs=40, words=WORDS)
    env.reset(seed=2)
    targets, total = env.rounds.targets.tolist(), np.zeros(40)
    while not env.rounds.done.all():
        total += env.act(env.rounds.choose("parts").numpy())
    points = [100 * done.tree.game.credits(turn) for _, turn in done.found_turns()]
    assert total.tolist() == [points[target] for target in targets]


@pytest.mark.parametrize("mode", [torch.inference_mode, lambda: torch.device("meta")])
def test_a_mode_of_torch_around_a_reset_leaves_later_steps_alone(mode):
    envs, plain = (gymnasium.make_vec(ID.format("Wordle"), num_envs=3, words=WORDS) for _ in range(2))
    with mode():
        envs.reset(seed=1)
        envs.step(np.array([1, 2, 3]))
    plain.reset(seed=1), plain.step(np.array([1, 2, 3]))
    for number in (4, 0, 1):
        rewards, expected = envs.step(np.full(3, number))[1], plain.step(np.full(3, number))[1]
        assert rewards.tolist() == expected.tolist()


def test_an_action_of_any_size_out_of_range_is_invalid():
    env = gymnasium.make_vec(ID.format("Wordle"), num_envs=5, words=WORDS)
    env.reset(seed=1)
    for actions in ([1, 6, -7, 2**33 + 1, -(2**33)], [1, 6, 7, 2**63 + 1, 2**64 - 1], [1, 6, 7, 2**70, -1]):
        assert env.step(np.array(actions))[4]["invalid"].tolist() == [False, True, True, True, True]
        env.reset(seed=1)


@pytest.mark.parametrize("actions", [[1, 2], [1.5, 2, 3], ["a", "b", "c"], [[1, 2, 3]], 1])
def test_actions_of_another_form_are_refused(actions):
    env = gymnasium.make_vec(ID.format("Wordle"), num_envs=3, words=WORDS).unwrapped
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions is \S+ \[.*\], expected \[3\] whole numbers"):
        env.step(actions)


@pytest.mark.parametrize("reward", ["points", "information"])
def test_a_masked_reset_begins_those_rounds_alone(reward):
    made = {"num_envs": 3, "words": WORDS, "reward": reward}
    many = [
        gymnasium.make_vec(ID.format("Wordle"), vectorization_mode=mode, **made) for mode in (None, "sync")
    ]
    for env in many:
        env.reset(seed=1)
        env.step(np.array([0, 1, 2]))
        mask = np.array([True, False, True])
        assert env.reset(seed=4, options={"reset_mask": mask})[0]["turn"].tolist() == [0, 1, 0]
        assert env.step(np.array([3, 4, 5]))[0]["turn"].tolist() == [1, 2, 1]
    for mask in ([1, 0, 1], [True], [False] * 3, None, "all", {}):
        with pytest.raises(ValueError, match=r"reset_mask is .*, expected \[3\] bool, at least one of them"):
            many[0].reset(options={"reset_mask": mask})


def follow(many, single):
    """Give the rounds of single environments the targets of many."""
    for number, env in enumerate(single.envs):
        env.unwrapped.rounds.targets[0] = many.rounds.targets[number]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("name", quick(["Wordle", "Hangman"], ["Wordle"]))
def test_rounds_begin_again_as_in_a_sync_vector_env(name, mode):
    options = {"num_envs": 5, "words": WORDS} | ({"game": "wordle-hard"} if name == "Wordle" else {})
    many = gymnasium.make_vec(ID.format(name), autoreset_mode=mode.value, **options)
    vector = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": mode}}
    single = gymnasium.make_vec(ID.format(name), **vector, **options)
    assert many.autoreset_mode is single.autoreset_mode is many.metadata["autoreset_mode"] is mode
    assert data_equivalence(many.reset(seed=1), single.reset(seed=1))
    many.action_space.seed(2)
    for _ in range(40):
        follow(many, single)
        actions = many.action_space.sample()
        made, same = many.step(actions), single.step(actions)
        assert data_equivalence(made[:4], same[:4], exact=True)
        info = same[4]
        assert made[4].keys() == info.keys() or not info  # without a step there is none
        for key, value in info.items():
            assert data_equivalence(list(made[4][key]) if key == "final_obs" else made[4][key],
                                    list(value) if key == "final_obs" else value)  # fmt: skip
        assert (many.action_masks() == np.stack(single.call("action_masks"))).all()
        ended = made[2]
        if mode is AutoresetMode.DISABLED and ended.any():
            with pytest.raises(gymnasium.error.ResetNeeded, match=r"round \d has ended: call reset, for"):
                many.step(actions)
            again = [env.reset(options={"reset_mask": ended.copy()}) for env in (many, single)]
            assert data_equivalence(*again)


def test_a_round_is_rendered_as_text_and_takes_an_action_in_an_array():
    env = gymnasium.make(ID.format("Wordle"), words=WORDS, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == ""
    env.unwrapped.rounds.targets[0] = WORDS.index("reads")
    env.step(np.array([1]))
    env.step(np.array(2))
    assert env.render() == "dozes ?XX?O\nreads OOOOO"
    assert env.unwrapped.action_masks().tolist() == [True] * len(WORDS)
    many = gymnasium.make_vec(ID.format("Wordle"), num_envs=2, words=WORDS, render_mode="ansi")
    many.reset(seed=1)
    assert many.render() == ("", "")
    with pytest.raises(gymnasium.error.UnsupportedMode, match="render_mode is 'human': use ansi"):
        type(env.unwrapped)(words=WORDS, render_mode="human")


def test_steps_that_cannot_be_made_are_told():
    many = gymnasium.make_vec(ID.format("Wordle"), num_envs=2, words=WORDS)
    with pytest.raises(gymnasium.error.ResetNeeded, match="no round has begun: call reset"):
        many.step(np.array([0, 0]))
    env = gymnasium.make(ID.format("Wordle"), words=WORDS).unwrapped
    for each, actions in ((many, np.array([0, 0])), (env, 0)):
        each.reset()
        each.close()
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="is closed: make another one"):
            each.step(actions)
    with pytest.raises(ValueError, match="autoreset_mode is 'later': use NextStep, SameStep, Disabled"):
        gymnasium.make_vec(ID.format("Wordle"), num_envs=2, words=WORDS, autoreset_mode="later")


def test_a_list_or_a_reward_that_does_not_exist_is_refused():
    for option, said in (
        ({"words": []}, "give words of one length"),
        ({"reward": "shaped"}, "reward is 'shaped': use points, win, information"),
    ):
        with pytest.raises(ValueError, match=said):
            gymnasium.make(ID.format("Wordle"), **option)


def test_registration_loads_no_torch():
    code = "import sys, gpulingo.envs; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
