"""The page holds all it needs, and a name is never markup."""

import re
from html.parser import HTMLParser

from reports import charts, figures
from reports.page import Groups, Page, render
from tests.reports.frames import STRANGE, groups, headline, members, metrics

LOADING = {"src", "href", "xlink:href", "data", "action", "poster", "srcset", "background"}


class Reader(HTMLParser):
    """Collects tags, what would be loaded, titles and text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.titles: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loaded += [value or "" for name, value in attrs if name in LOADING]
        self.titles += [value or "" for name, value in attrs if name == "title"]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def page(name: str = "bank") -> str:
    names = ["base", name]
    svg = figures.svg(figures.draw(charts.headline_chart, headline(names), 3.0))
    return render(
        Page(
            title=f"Title {name}",
            subtitle=f"Subtitle {name}",
            verdicts=[f"{name} is harder"],
            charts={f"Chart {name}": svg},
            headline=headline(names),
            metrics=metrics(names),
            facts={"seed": "1", "command": f"balance run {name}"},
        )
    )


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def test_nothing_is_loaded_from_anywhere() -> None:
    text = page()
    assert all(link.startswith("#") for link in read(text).loaded)
    assert not {"script", "link", "iframe", "img", "object", "embed"} & set(read(text).tags)
    assert re.search(r"@import|url\((?!#)", text) is None


def test_charts_stand_in_the_page() -> None:
    reader = read(page())
    assert reader.tags.count("svg") == 1
    assert "Chart bank" in reader.words


def test_the_page_says_verdict_numbers_and_what_they_rest_on() -> None:
    text = " ".join(" ".join(read(page()).words).split())
    assert text.index("bank is harder") < text.index("Chart bank") < text.index("How hard it is")
    for words in ("20.00%", "18.00% .. 23.00%", "12,345", "1,000,000", "rules.burn = 2", "24.69"):
        assert words in text
    assert "balance run bank" in text


def test_headers_and_numbers_carry_their_meaning() -> None:
    titles = read(page()).titles
    assert "win_rate: what win_rate means" in titles
    assert "share of games won" in titles
    assert "5.00% .. 15.00%" in titles
    assert "- .. -" in titles


def test_a_name_is_escaped_wherever_it_stands() -> None:
    text = page(STRANGE)
    reader = read(text)
    assert "b" not in reader.tags
    assert STRANGE not in text
    words = "".join(reader.words)
    assert words.count(STRANGE) >= 6  # title twice, verdict, caption, both tables, command


def test_a_name_stays_inside_its_attribute() -> None:
    odd = metrics()
    odd["description"] = '" onmouseover="alert(1)'
    text = render(Page("t", "s", [], {}, headline(), odd, {}))
    assert 'onmouseover="alert' not in text
    assert any('" onmouseover="alert(1)' in title for title in read(text).titles)


def test_the_page_is_utf_8_and_has_a_title() -> None:
    text = page("größer")
    assert text.startswith("<!doctype html>")
    assert '<meta charset="utf-8">' in text
    assert "<title>Title größer</title>" in text


def test_the_same_result_gives_the_same_page() -> None:
    assert page() == page()


def page_with_groups(name: str = "hawk") -> str:
    table = members([name, "rook"])
    teams = groups(9)
    teams.loc[0, "members"] = name
    svg = figures.svg(figures.draw(charts.effects_chart, table, 3.0))
    section = Groups(f"Teams: {name}", "Teams", "Character", svg, f"Of {name}", table, teams)
    return render(Page("t", "s", [], {}, headline(), metrics(), {}, [section]))


def test_groups_have_a_chart_and_both_tables() -> None:
    reader = read(page_with_groups())
    assert reader.tags.count("svg") == 1
    text = " ".join(" ".join(reader.words).split())
    for words in ("+2.00", "+0.50 .. +3.50", "1,234", "4,321", "tied", "all 9 teams"):
        assert words in text
    for place in range(1, 9):
        assert f"group {place} " in text
    assert "11.00% .. 13.00%" in reader.titles


def test_the_names_of_groups_are_escaped() -> None:
    text = page_with_groups(STRANGE)
    reader = read(text)
    assert "b" not in reader.tags
    assert STRANGE not in text
    assert "".join(reader.words).count(STRANGE) >= 4  # heading, caption, both tables


def test_without_groups_there_is_no_such_section() -> None:
    assert "details" not in read(page()).tags
