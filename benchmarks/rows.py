"""Mixed text through the model at five budgets: what no answer may ever be.

    python benchmarks/rows.py [--rows 20000] [--out results/rows] [--fresh]

Rows come from the data folder's dev sets (news, short texts of many kinds) and its pairs of web
pages; every tenth is made to do harm: markup, emoji, other languages, one word, one megabyte. Of
each answer it is checked that it fits, that it says something or why not, that its names and
numbers are the text's, and that the model says no word twice, in any form. What is found is written
every hundred rows: a run that was ended goes on where it was, on the same commit (or --fresh).
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from nacc import Summarizer
from nacc.data.datasets import data_folder, load, locate
from nacc.data.lines import lines_of
from nacc.errors import BudgetTooSmall, NaccError
from nacc.evaluation.timing import machine
from nacc.length.budget import Budget
from nacc.summary import Summary
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.licence import unlicensed
from nacc.text.numbers import is_number
from nacc.text.stem import base
from nacc.text.words import UNKNOWN_WORDS, Sentence, key, split

BUDGETS = ("30", "50", "75 bytes", "12 words", "300px")
FAULTS = ("over", "empty", "foreign", "twice", "failed")
UNCHANGED = ("as-is", "trimmed", "lead")
HOSTILE = 10
"""One row of so many is made to do harm."""
SHOWN = 5
WRITTEN = 100
"""After so many rows, what is found is written."""
PAGE = """# {rows:,} rows of mixed text at five budgets

{answers:,} answers at {budgets}. Over: longer than its budget. Empty: nothing said, and no reason
given. Foreign: a name or a number that the text has not. Twice: the model says a word twice, in any
form. Failed: an error other than that nothing fits.

| | answers | {header} | told why nothing fits |
|---|---|{lines}---|
{table}

How they were answered: {methods}.

{examples}
{machine}
"""
FOREIGN = """
北京今天下大雨，地铁停运三小时，市政府提醒市民尽量留在家中。
東京で大きな地震があり、新幹線が二時間止まりました。
서울에 많은 눈이 내려 오늘 아침 학교 300곳이 문을 닫았다.
أعلن الرئيس استقالته اليوم بعد أسابيع من الاحتجاجات في العاصمة.
ראש הממשלה התפטר היום אחרי שבועות של הפגנות בירושלים.
Президент объявил о своей отставке после трёх недель протестов в столице.
Ο πρωθυπουργός παραιτήθηκε σήμερα μετά από διαδηλώσεις στην Αθήνα.
นายกรัฐมนตรีประกาศลาออกวันนี้หลังการประท้วงในกรุงเทพ
प्रधानमंत्री ने आज तीन हफ्तों के विरोध के बाद इस्तीफा दिया।
Der Verkehrsminister tritt wegen der Maut zurück, teilte seine Partei am Montag in Kassel mit.
Le maire de Lyon démissionne après trois semaines de manifestations contre le nouveau stade.
El alcalde de Sevilla dimite tras tres semanas de protestas contra el nuevo estadio.
O prefeito de Recife renunciou depois de três semanas de protestos contra o novo estádio.
Il sindaco di Torino si dimette dopo tre settimane di proteste contro il nuovo stadio.
De burgemeester van Gent treedt af na drie weken van protest tegen het nieuwe stadion.
Burmistrz Gdyni podał się do dymisji po trzech tygodniach protestów przeciw nowemu stadionowi.
Borgmästaren i Lund avgår efter tre veckor av protester mot den nya arenan.
Belediye başkanı üç hafta süren protestoların ardından bugün istifa etti.
Walikota mengundurkan diri setelah tiga minggu protes terhadap stadion baru.
Thị trưởng từ chức hôm nay sau ba tuần biểu tình phản đối sân vận động mới.
""".strip().splitlines()
ODD = [
    "!!!", "—", "🎉🎉🎉", "42", "x", "Word", "OK?", "\x00\x1b[31mred\x1b[0m", "\u200b\u200bzero",
    "the the the the the the the", "not", "if and but or", "1 2 3 4 5 6 7 8 9 10 11 12 13 14",
    "https://example.org/a/very/long/path?with=many&query=parameters&and=more#fragment-at-the-end",
    "a@b.example wrote to c@d.example about e@f.example and g@h.example on Monday morning at nine",
    "6-4 7-6 6-3, 3-6 6-2 7-5, 1-6 6-4 6-4: the scores of the day's matches in Brno and Split",
    "if (x < 0) return -EINVAL; /* the index must not be negative, see the note above */",
    "// TODO(anna): this copies the buffer twice; the second copy is needed only when it is shared",
    "-5°C in Oslo, -12°C in Kiruna and minus 20 degrees in Inari, the forecasters said on Friday",
    "THE WHO AND THE WHO: THE US TOLD US THAT IT WILL JOIN IT AGAIN IN MAY OR MAY NOT JOIN IN MAY",
]  # fmt: skip
EMOJI = "😀🎉🚀🔥👍🏽👩‍👩‍👧‍👦🇳🇴❤️"


@dataclass
class Found:
    """What was found in how many rows, by their kinds; how they were answered; the first faults."""

    rows: int = 0
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    methods: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[list[str]]] = field(default_factory=lambda: {f: [] for f in FAULTS})

    @classmethod
    def read(cls, path: Path) -> Found:
        """What a run that was ended has written; nothing, if it was of another commit."""
        record = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        if record.get("commit") != machine().commit:
            return cls()
        kinds = {kind: Counter(its) for kind, its in record["kinds"].items() if kind != "all"}
        return cls(record["rows"], kinds, Counter(record["methods"]), record["examples"])

    def add(self, kind: str, text: str, budget: Budget, answer: Summary | NaccError) -> None:
        counts = self.kinds.setdefault(kind, Counter())
        counts["answers"] += 1
        self.methods[getattr(answer, "method", type(answer).__name__)] += 1
        if fault := wrong_with(text, budget, answer):
            counts[fault] += 1
            if fault in FAULTS and len(self.examples[fault]) < SHOWN:
                self.examples[fault].append([str(budget), str(answer), text[:300]])


def main() -> None:
    parser = argparse.ArgumentParser(description="what no answer may be, over many rows")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results/rows"))
    parser.add_argument("--fresh", action="store_true", help="start over")
    asked = parser.parse_args()
    found = Found() if asked.fresh else Found.read(asked.out.with_suffix(".json"))
    run(found, asked.rows, asked.out, asked.workers)


def run(found: Found, count: int, out: Path, workers: int = 1) -> None:
    """Check the rows from where it was, and write what is found every now and then."""
    budgets = [Budget.of(each) for each in BUDGETS]
    rows = list(islice(mixed(), found.rows, count))
    each = Summarizer.load().each((text for _, text in rows), BUDGETS, workers=workers)
    for (kind, text), answers in zip(rows, each, strict=True):
        for budget, answer in zip(budgets, answers, strict=True):
            found.add(kind, text, budget, answer)
        found.rows += 1
        if found.rows % WRITTEN == 0 or found.rows == count:
            write(out, found)


def mixed() -> Iterator[tuple[str, str]]:
    """Kinds and texts, mixed in the same way each time."""
    real = [
        (_kind(path), text)
        for name in ("gigaword-dev", "reuters-dev", "web-dev", "short")
        for path in locate(name)
        for text in load(path).sources
    ]
    random.Random(0).shuffle(real)
    pairs = data_folder() / "pairs" / "web.strict.tsv.zst"
    pages = (("web pairs", line.split("\t")[0]) for line in lines_of(pairs))
    harmful = hostile([text for _, text in real])
    for at, row in enumerate(chain(real, pages)):
        yield row
        if at % (HOSTILE - 1) == 0:
            yield next(harmful)


def _kind(path: Path) -> str:
    short = path.parent.name == "short"
    return path.name.split(".")[0] if short else "news"


def hostile(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Rows without end that are made of others, or of nothing much."""
    chance = random.Random(1)
    yield "one megabyte", " ".join(chain(texts))[:1_000_000]
    while True:
        text = chance.choice(texts)
        yield "markup", f'<p class="a">{text}</p> <b>&amp; <i>{text[:40]}</i></b>'
        yield "languages", chance.choice(FOREIGN)
        yield "emoji", _strewn(text, chance)
        yield "odd", chance.choice(ODD)
        yield "one word", chance.choice(text.split() or ["word"])
        yield "languages", f"{chance.choice(FOREIGN)} {text}"
        yield (
            "odd",
            " ".join(chance.choice([text.upper(), text.title(), text[::-1], text * 3]).split()),
        )


def _strewn(text: str, chance: random.Random) -> str:
    return " ".join(f"{word} {chance.choice(EMOJI)}" for word in text.split())


def wrong_with(text: str, budget: Budget, answer: Summary | NaccError) -> str | None:
    """What an answer is that none may be; or "told": nothing fits, and it is said so."""
    if isinstance(answer, NaccError):
        return "told" if isinstance(answer, BudgetTooSmall) else "failed"
    if not budget.fits(answer.text):
        return "over"
    if not answer.text.strip():
        return None if answer.note or not text.strip() else "empty"
    if answer.method in UNCHANGED:
        return None
    if is_foreign(split(text), [word.text for word in answer.words]):
        return "foreign"
    return "twice" if repeats(answer) else None


def is_foreign(source: Sentence, said: Sequence[str]) -> bool:
    """Whether a name or a number is said that a text neither has nor has another form of."""
    new = [word for word in said if key(word) not in source.keys]
    bases = {base(word) for word in source.keys}
    heavy = {i for i in unlicensed(new, source) if base(key(new[i])) not in bases}
    return any(new[i][:1].isupper() or is_number(new[i]) for i in heavy)


def repeats(answer: Summary) -> bool:
    """Whether a word with content is said twice, in any form."""
    words = [key(word.text) for word in answer.words]
    content = [word for word in words if word.isalpha() and len(word) > 2]
    bases = Counter(base(word) for word in content if word not in FUNCTION_WORDS | UNKNOWN_WORDS)
    return any(count > 1 for count in bases.values())


def write(out: Path, found: Found) -> None:
    """What has been found so far, as JSON and as a page."""
    total: Counter[str] = sum(found.kinds.values(), Counter())
    shown = {**dict(sorted(found.kinds.items())), "all": total}
    made: dict[str, Any] = {
        "rows": found.rows, "budgets": BUDGETS, "kinds": shown, "methods": found.methods,
        "examples": found.examples, "commit": machine().commit, "machine": str(machine()),
    }  # fmt: skip
    whole = out.with_suffix(".json")
    begun = whole.with_suffix(".part")
    begun.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
    begun.replace(whole)  # whole or not at all: a run may be ended at any time
    columns = ("answers", *FAULTS, "told")
    table = [
        f"| {kind} | {' | '.join(f'{its[c]:,}' for c in columns)} |" for kind, its in shown.items()
    ]
    told = [
        f"- {fault}, {said[0]}: {said[1]} ← {said[2]}"
        for fault in FAULTS
        for said in found.examples[fault]
    ]
    page = PAGE.format(
        rows=found.rows,
        answers=total["answers"],
        budgets=", ".join(BUDGETS),
        header=" | ".join(FAULTS),
        lines="---|" * len(FAULTS),
        table="\n".join(table),
        methods=", ".join(f"{name} {count:,}" for name, count in found.methods.most_common()),
        examples="".join(f"{line}\n" for line in told),
        machine=machine(),
    )
    out.with_suffix(".md").write_text(page, "utf-8")


if __name__ == "__main__":
    main()
