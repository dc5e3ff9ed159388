"""The paper's rivals: networks that write, trained by recipes, as systems of an evaluation.

Each says a headline; what becomes of its length is `control`: cut to the budget ("truncate"); of a
beam, the best headline that is within it ("rank", the paper's way with an autoregressive model); or
decoded within it, words whole ("exact": by what room is left at each step, or for a chain by a
dynamic programme). torch runs them, on one core of the CPU unless another device is named.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.errors import BadModel, InvalidInput, requires
from nacc.evaluation.systems import DAT_LENC, RIVAL, OpenModel, Output, System
from nacc.length.budget import Budget
from nacc.length.lead import cut, lead
from nacc.length.measures import Bytes, Characters
from nacc.runtime.conditions import Conditions, has_conditions
from nacc.runtime.folder import lines, voice_of
from nacc.text.words import Sentence, split

if TYPE_CHECKING:
    from nacc.learning.writing import Manner, Weights
    from nacc.length.measures.measure import WeightPlan

Control = Literal["truncate", "rank", "exact"]
_BATCH = {"cpu": 24, "cuda": 128}  # sentences read at once, where so many are asked for


@dataclass(frozen=True, kw_only=True)
class RivalOptions:
    """How a rival writes.

    beam, penalty: of an autoregressive model: beginnings kept, and the power of the number of words
                   that a headline's log-probability is divided by
    at_least:      with exact control, what the words are to weigh, where that can be had
    ratio:         of a chain: how many of the source's slots are looked at
    style, told:   whose headlines, and how long ones, to ask a network for that was taught both;
                   told: characters, 0 for any; unless given, the budget with exact control
    int8:          weights in 8 bits, as ours are
    """

    control: Control = "truncate"
    beam: int = 5
    penalty: float = 1.0
    at_least: int = 0
    ratio: float = 0.5
    style: str | None = None
    told: int | None = None
    device: str = "cpu"
    int8: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> RivalOptions:
        """Checked, from what a specification says."""
        kinds = {each.name: type(each.default) for each in fields(cls)}
        kinds |= {"style": str, "told": int}
        for name, value in given.items():
            if name not in kinds:
                known = ", ".join(["model", *kinds])
                raise InvalidInput(f"unknown option {name!r} of a rival; known: {known}")
            number = kinds[name] is float and isinstance(value, int)
            if type(value) is not kinds[name] and not number:
                kind = kinds[name].__name__
                raise InvalidInput(f"{name} of a rival must be of type {kind}, got {value!r}")
        options = cls(**given)
        if options.control not in get_args(Control):
            raise InvalidInput(f"control {options.control!r} must be truncate, rank or exact")
        if options.beam < 1 or options.at_least < 0 or not 0 < options.ratio <= 1:
            raise InvalidInput("a beam is 1 or more, at_least not below 0, a ratio above 0 to 1")
        if options.int8 and options.device != "cpu":
            raise InvalidInput("int8 is for the CPU")
        return options


class Rival:
    """A network that writes, and how its headlines are brought within the budget."""

    def __init__(self, name: str, folder: Path, options: RivalOptions | None = None) -> None:
        requires("the paper's rivals", "train", "torch", "safetensors", "pydantic")
        import torch

        from nacc.learning.checkpoint import load_model
        from nacc.learning.writing import Writer, Writes
        from nacc.runtime.inputs import InputEncoder

        self.name = name
        self.folder = folder
        self.options = options = options or RivalOptions()
        given = load_model(folder)
        network = given.network.eval()
        if not isinstance(network, Writes):
            raise BadModel(f"{folder} makes lattices: name a way of decoding them instead")
        self._check(network)
        device = torch.device(options.device)
        if device.type == "cpu":
            torch.set_num_threads(1)
        positions = network.shape.positions
        encoder = InputEncoder(given.pieces, given.vocabulary, positions, MAX_SOURCE_WORDS)
        if options.int8:
            network = _rounded(network)
        batch = _BATCH.get(device.type, 1)
        self.writer = Writer(network.to(device), encoder, device, batch=batch)
        self._weighed: dict[str, Weights] = {}
        self._forms = dict(zip(given.vocabulary, lines(folder / "words.txt"), strict=True))

    def _check(self, network: object) -> None:
        """What this kind of network cannot do is refused at once."""
        from nacc.learning.autoregressive import Autoregressive
        from nacc.learning.parallel import Parallel

        at_once = isinstance(network, Parallel)
        if self.options.control == "exact" and at_once:
            raise InvalidInput(f"{self.folder} can only be cut: control=truncate")
        if self.options.control == "rank" and (at_once or not isinstance(network, Autoregressive)):
            raise InvalidInput(f"{self.folder} has no beam to rank: control=truncate")

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        sentences = [split(source).first_sentence() for source in sources]
        for number, sentence in enumerate(sentences, start=1):
            if not sentence.keys:
                raise InvalidInput(f"source {number} is empty: a model has nothing to read there")
        self._tell(budget)
        plan = budget.plans()[0]
        space = int(plan.weigh([" a"])[0] - plan.weigh(["a"])[0])
        weights = self._weights(str(budget), plan)
        keys = [sentence.keys for sentence in sentences]
        order = sorted(range(len(keys)), key=lambda i: len(keys[i]))  # batches of like lengths
        manner = self._manner(plan.room + space)
        found = self.writer.write([keys[i] for i in order], manner, weights)
        said = dict(zip(order, found, strict=True))
        return [
            self._output(self._texts(sentence, said[i]), budget)
            for i, sentence in enumerate(sentences)
        ]

    def summaries(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        """As `run`: what is timed."""
        return self.run(sources, budget)

    def _weights(self, budget: str, plan: WeightPlan) -> Weights:
        """What words weigh with the space before them; output words are weighed once a budget."""
        from nacc.learning.writing import Weights

        def weigh(words: Sequence[str]) -> NDArray[np.int64]:
            return plan.weigh([" " + word for word in words])

        if budget not in self._weighed:
            own = weigh([self._forms[word] for word in self.writer.encoder.vocabulary])
            self._weighed[budget] = Weights(weigh, own)
        return self._weighed[budget]

    def _manner(self, room: int) -> Manner:
        from nacc.learning.writing import Manner

        options = self.options
        return Manner(
            beam=options.beam,
            penalty=options.penalty,
            ratio=options.ratio,
            room=room if options.control == "exact" else None,
            least=options.at_least,
        )

    def _tell(self, budget: Budget) -> None:
        """Ask for headlines of a voice and a length, of a network that was taught them."""
        if not has_conditions(self.folder):
            return
        options, encoder = self.options, self.writer.encoder
        conditions = Conditions.load(self.folder)
        told = options.told
        if told is None and options.control == "exact":
            counted = isinstance(budget.measure, Characters | Bytes)
            told = int(budget.amount) if counted else None
        asked = conditions.pieces(voice_of(options.style, conditions), told or None)
        pieces = encoder.pieces
        encoder.prefix = (*pieces.prefix[:-2], *(pieces.id(piece) for piece in asked))

    def _texts(self, sentence: Sentence, several: Sequence[Sequence[str]]) -> Iterator[str]:
        """Headlines as text, best first: words as the source writes them, or else as usual."""
        forms = {**self._forms, **dict(zip(sentence.keys, sentence.words, strict=True))}
        return (" ".join(forms[word] for word in words) for words in several)

    def _output(self, texts: Iterator[str], budget: Budget) -> Output:
        first, *others = list(texts) or [""]
        if self.options.control == "exact":
            return Output.whole(first if budget.fits(first) else lead(first, budget))
        if self.options.control == "rank":
            fitting = [text for text in (first, *others) if budget.fits(text)]
            if fitting:
                return Output(fitting[0], first)
        return Output(cut(first, budget), first)


def _rounded(network: Any) -> Any:
    """The network with the weights of its products in 8 bits, each output with a scale of its own
    (one for all of them costs twice the ROUGE)."""
    import torch

    with warnings.catch_warnings():  # torch would have another package do it
        warnings.simplefilter("ignore")
        ao: Any = torch.ao.quantization
        return ao.quantize_dynamic(network, {torch.nn.Linear: ao.per_channel_dynamic_qconfig})


def other(head: str, given: dict[str, Any], name: str, open_model: OpenModel) -> System:
    """A system of another paper, by what a specification says."""
    from nacc.evaluation.dat_lenc import DatLenC

    model = given.pop("model", None)
    if head == DAT_LENC:
        for wrong in given.keys() - {"words", "search", "beam"}:
            raise InvalidInput(f"{wrong!r} in {name!r} is none of words, search, beam")
        return DatLenC(name, open_model(model), **given)
    if model is None:
        raise InvalidInput(f"{name!r} must say which network: {RIVAL}:model=RUN/best")
    return Rival(name, Path(model), RivalOptions.of(given))
