"""PyTorch modules as evaluators, on PyTorch itself, for which CI has no room: run it by hand, CONTRIBUTING.md
says how."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from narde import EvaluatorError, InvalidArgumentError, evaluators, executors
from narde.evaluators import TorchEvaluator, call
from narde.features import features
from narde.network import Network
from test_docs import BLOCKS, run
from test_network import batch

torch = pytest.importorskip("torch", reason="PyTorch comes with the torch extra")

TYPES = ["float32", "float64", "float16", "bfloat16"]
ROWS, _ = batch("short", 500)


def module_of(network: Network) -> Any:
    """The network as a module in float32."""
    arrays = network.hidden_weights, network.hidden_bias, network.output_weights, network.output_bias
    units = 2.0**-network.hidden_shift, 2.0**-network.hidden_shift, 2.0**-network.output_shift, network.unit
    hidden = len(network.hidden_bias)
    module = torch.nn.Sequential(
        torch.nn.Linear(196, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, 5), torch.nn.Sigmoid()
    )
    with torch.no_grad():
        for weights, array, unit in zip(module.parameters(), arrays, units, strict=True):
            weights.copy_(torch.from_numpy(array.T * unit))
    return module.eval()


NETWORK = evaluators.default("short")
EVALUATOR = TorchEvaluator(module_of(NETWORK))


def chances(module: Any, **options: Any) -> np.ndarray:
    return call(TorchEvaluator(module, **options), ROWS, "short")


# ---- values ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["long", "short"])
@pytest.mark.parametrize("hidden", [16, 128])
def test_a_module_gives_the_chances_of_the_same_network(game: str, hidden: int) -> None:
    network = Network.random(hidden, game=game, seed=hidden)
    rows, _ = batch(game, 500)
    theirs = call(TorchEvaluator(module_of(network)), rows, game)
    assert theirs.dtype == np.float32
    assert np.abs(theirs - network(rows)).max() < 1e-6
    assert np.abs(theirs - network.forward(rows)).max() < 1e-6


@pytest.mark.parametrize("name", TYPES)
def test_features_come_in_the_type_of_the_weights(name: str) -> None:
    kind = getattr(torch, name)
    module = module_of(NETWORK).to(kind)
    with torch.no_grad():
        expected = module(torch.from_numpy(features(ROWS)).to(kind)).float().numpy()
    found = chances(module)
    assert found.dtype == np.float32
    assert np.array_equal(found, expected)
    assert np.abs(found - NETWORK(ROWS)).max() < 0.05


def test_a_module_may_take_rows() -> None:
    def module(rows: Any) -> Any:
        assert rows.dtype == torch.int8 and rows.shape == (len(ROWS), 28)
        return rows[:, -5:].abs() / 15

    assert np.array_equal(chances(module, inputs="rows"), np.abs(ROWS[:, -5:]) / np.float32(15))


def test_what_a_row_is_worth_does_not_depend_on_the_rows_beside_it() -> None:
    apart = np.concatenate([call(EVALUATOR, ROWS[i : i + 1], "short") for i in range(50)])
    assert np.abs(apart - call(EVALUATOR, ROWS, "short")[:50]).max() < 1e-6


# ---- modes and devices -------------------------------------------------------------------------------------


def with_dropout() -> Any:
    layers = torch.nn.Linear(196, 8), torch.nn.BatchNorm1d(8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 5)
    return torch.nn.Sequential(*layers, torch.nn.Sigmoid())


def test_a_module_in_training_mode_is_refused() -> None:
    module = with_dropout()
    with pytest.raises(EvaluatorError, match=r"training mode: call its eval\(\) first"):
        chances(module)
    module.eval()
    before = pickle.dumps(module.state_dict())
    assert np.array_equal(chances(module), chances(module))
    assert pickle.dumps(module.state_dict()) == before
    for part in (module, module[2]):
        module.eval()
        part.train()
        with pytest.raises(EvaluatorError, match="training mode"):
            chances(module)


def test_no_gradients_are_kept_and_the_module_can_be_trained_on() -> None:
    module = torch.nn.Sequential(torch.nn.LazyLinear(5), torch.nn.Sigmoid()).eval()  # made by the first call
    seen = []
    module.register_forward_hook(lambda *_: seen.append(torch.is_grad_enabled()))
    chances(module)
    assert seen == [False]
    module.train()(torch.rand(4, 196)).sum().backward()
    assert module[0].weight.grad.abs().sum() > 0
    fixed = torch.full((len(ROWS), 5), 0.25, requires_grad=True)
    assert (chances(lambda _: fixed) == 0.25).all()


def test_devices() -> None:
    assert np.array_equal(
        chances(module_of(NETWORK), device=torch.device("cpu")), call(EVALUATOR, ROWS, "short")
    )
    with pytest.raises(EvaluatorError, match="raised RuntimeError: 'Expected one of cpu"):
        chances(module_of(NETWORK), device="nowhere")
    with pytest.raises(EvaluatorError, match="raised NotImplementedError"):
        chances(module_of(NETWORK).to("meta"), device="meta")  # on which there are no numbers


# ---- faults ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (lambda x: x[:, :4], r"returned float32 \(500, 4\) for 500 rows"),
        (lambda x: x[:9, :5], r"returned float32 \(9, 5\) for 500 rows"),
        (lambda x: x[:, :5].int(), r"returned int32 \(500, 5\)"),
        (lambda x: x[:, :5] * float("nan"), r"gave nan as the chance of winning, for row 0 of 500"),
        (lambda x: x[:, :5] - 3, r"gave -[23].* as the chance of winning, for row"),
        (lambda x: (x, x), r"the module returned <class 'tuple'>: let it return one tensor"),
        (
            torch.nn.Linear(28, 5).eval(),
            r"^evaluator TorchEvaluator\(inputs='features', device='cpu'\) raised Run",
        ),
    ],
)
def test_what_is_no_chances_is_named(module: Any, message: str) -> None:
    with pytest.raises(EvaluatorError, match=message):
        chances(module)


def test_a_fault_within_a_run_names_the_position_and_keeps_finished_shards(tmp_path: Path) -> None:
    def module(inputs: Any) -> Any:
        found = EVALUATOR.module(inputs)
        return torch.where((inputs[:, -1:] > 13), torch.nan, found)  # the opponent has 14 off

    with pytest.raises(EvaluatorError, match=r"gave nan .*\n  row \d+ = nas"):
        narde.self_play(300, TorchEvaluator(module), "short", seed=1, batch=100, out=tmp_path / "run")


# ---- runs --------------------------------------------------------------------------------------------------


def self_play(**options: Any) -> list[bytes]:
    record = ("positions", "chosen", "values")
    games = narde.self_play(150, EVALUATOR, "short", seed=1, batch=50, record=record, **options)
    return [np.ascontiguousarray(getattr(games, name)).tobytes() for name in ("winner", "points", *record)]


def rollout(**options: Any) -> list[bytes]:
    found = narde.rollout(narde.starting_row("short"), EVALUATOR, "short", trials=72, seed=1, **options)
    by_core = narde.rollout(narde.starting_row("short"), NETWORK, "short", trials=72, seed=1)
    assert abs(found.equity - by_core.equity) < 1e-5
    return [found.values.tobytes()]


@pytest.mark.parametrize("work", [self_play, rollout])
def test_the_same_seed_gives_the_same_bytes_in_threads_and_processes(
    work: Callable[..., list[bytes]],
) -> None:
    alone = work()
    assert work() == alone
    assert work(threads=2) == alone
    assert work(executor=executors.processes(2)) == alone


def test_an_evaluator_is_pickled_with_its_module() -> None:
    again = pickle.loads(pickle.dumps(EVALUATOR))
    assert np.array_equal(call(again, ROWS, "short"), call(EVALUATOR, ROWS, "short"))
    assert again.checksum == EVALUATOR.checksum


def test_the_checksum_is_that_of_the_weights(tmp_path: Path) -> None:
    other = module_of(NETWORK)
    assert TorchEvaluator(other).checksum == EVALUATOR.checksum
    assert TorchEvaluator(torch.sigmoid).checksum is None
    sums = {TorchEvaluator(with_dropout().to(getattr(torch, name))).checksum for name in TYPES}
    assert len(sums) == len(TYPES)

    options: dict[str, Any] = {"rules": "short", "seed": 1, "out": tmp_path / "run", "games_per_shard": 10}
    narde.self_play(20, TorchEvaluator(other), **options)
    with torch.no_grad():
        other[0].weight[0, 0] += 1
    assert TorchEvaluator(other).checksum != EVALUATOR.checksum
    with pytest.raises(InvalidArgumentError, match=r"TorchEvaluator> \(\w+\), not greedy"):
        narde.self_play(20, TorchEvaluator(other), **options, resume=True)
    assert narde.self_play(20, EVALUATOR, **options, resume=True).is_complete


@pytest.mark.parametrize("page", ["onnx.md", "selfplay.md"])
def test_the_pages_do_what_they_say(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(1)
    names: dict[str, Any] = {"__name__": "docs"}
    blocks = [block for block in BLOCKS if block.page.name == page]
    wanted = [
        block for block in blocks if block.needs == "torch" or (page == "selfplay.md" and not block.needs)
    ]
    for block in wanted:
        if block.language in {"python", "pycon"}:
            run(block, names)
    assert np.abs(call(names["evaluator"], ROWS, "short")).max() <= 1
    if page == "selfplay.md":
        rows, _ = batch("long", 200)
        assert np.abs(names["trained"](rows) - call(names["evaluator"], rows, "long")).max() < 0.01
        fresh = narde.self_play(300, names["network"], seed=8, record=["positions"])
        _, targets = names["examples"](fresh)
        won = call(names["evaluator"], fresh.positions, "long")[:, 0]
        assert np.mean((won - targets[:, 0]) ** 2) < 0.2 < np.var(targets[:, 0])
