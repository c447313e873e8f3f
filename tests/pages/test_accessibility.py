"""
Everybody can play: whole races by keyboard alone, in words through the accessibility tree alone, by touch on a phone;
without motion for who wants none, and without colours for who sees them otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Route, expect

from accessibility import contrast
from players_in_browser import Invite, Person, race

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
MOST_STOPS = 80  # on the way to anything, by Tab

# Where the focus is; what is wrong with it, if anything: it is not seen, or lies under something else.
FOCUS = """async (wanted) => {
  for (let i = 0; i < 2; i++) await new Promise((drawn) => requestAnimationFrame(drawn));
  const at = document.activeElement;
  const box = at.getBoundingClientRect();
  const style = getComputedStyle(at);
  const wrong = [];
  if (at !== document.body) {
    const ring = at.closest("label") ? getComputedStyle(at.closest("label")) : style;
    const ringed = [style, ring].some((one) => one.outlineStyle !== "none" || one.boxShadow !== "none");
    if (!ringed) wrong.push("no ring");
    if (box.bottom <= 0 || box.top >= innerHeight) wrong.push("out of sight");
    const across = Math.min(Math.max((box.left + box.right) / 2, 1), innerWidth - 1);
    const down = Math.min(Math.max((Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2, 1), innerHeight - 1);
    const over = document.elementFromPoint(across, down);
    const family = over && (at.contains(over) || over.contains(at) || at.closest("label")?.contains(over));
    if (!family) wrong.push(`under ${over?.tagName} ${over?.className}`);
  }
  const said = at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 30);
  return { there: at.matches(wanted), name: `${at.tagName} ${at.id || at.className} ${said}`, wrong };
}"""


def quick(person: Person) -> None:
    """Whatever table the page lays for this person, its drivers lose no time and the first one home ends the race."""

    def hurry(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        plan = {**(route.request.post_data_json or {}), "pace": 0, "options": {"race_ends": "first_home"}}
        return route.continue_(post_data=plan)

    person.context.route("**/api/tables", hurry)


def tab_to(person: Person, wanted: str) -> list[str]:
    """Press Tab until the focus is at something; every stop must be seen. The stops."""
    stops = []
    for _ in range(MOST_STOPS):
        person.page.keyboard.press("Tab")
        stop = person.page.evaluate(FOCUS, wanted)
        stops.append(stop["name"])
        assert stop["wrong"] == [], stop
        if stop["there"]:
            return stops
    raise AssertionError(f"{wanted} cannot be reached by Tab: {stops}")


def drive(person: Person, answer: Callable[[dict[str, Any]], None]) -> None:
    """Race to the end; whenever this person is asked something, it is answered so."""
    at = person.past(-1)
    while not person.shown["race"]["over"]:
        if person.on_turn in person.shown["yours"]:
            question = person.called(at)
            at = int(person.shown["changed"])
            answer(question)
        at = person.past(at)


def press_an_answer(person: Person, question: dict[str, Any]) -> None:
    """Choose the first offer and confirm it, by keys alone."""
    keyboard, first = person.page.keyboard, question["offers"][0]
    if question["asks"] == "turn" and first["to"] is not None:
        keyboard.press(str(first["card"]))
        ways = [one for one in question["offers"] if one["card"] == first["card"]]
        if len(ways) > 1:
            keyboard.press("ArrowRight")
    else:
        keyboard.press("ArrowRight")
    keyboard.press("Enter")


def test_a_whole_race_by_keyboard_alone_from_the_landing_page_to_the_podium(invite: Invite) -> None:
    anna = invite()
    quick(anna)
    anna.goto("/")
    expect(anna.find(".start .primary")).to_be_visible()
    tab_to(anna, ".start .primary")
    anna.page.keyboard.press("Enter")
    expect(anna.find(".phase-racing, .phase-podium, .phase-over")).to_be_visible()
    anna.called()
    tab_to(anna, "#to-table")
    anna.page.keyboard.press("Enter")
    assert anna.page.evaluate("() => document.activeElement.closest('#question') !== null")
    drive(anna, lambda question: press_an_answer(anna, question))
    expect(anna.find("#podium")).to_be_visible()
    stops = tab_to(anna, "#summary")
    assert any("rematch" in stop for stop in stops), stops
    anna.page.keyboard.press("Enter")
    expect(anna.find(".race-figures")).to_be_visible()


def test_letters_are_keys_too_unless_they_are_switched_off(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], hints=True)
    anna.begin()
    _, offer = anna.called_to_drive()
    keys = anna.page.keyboard
    card = str(offer["card"])

    keys.press("p")
    expect(anna.find("#paused")).to_be_visible()
    keys.press("p")
    expect(anna.find("#paused")).to_have_count(0)
    keys.press("h")
    expect(anna.find("#hinted")).to_be_visible()
    keys.press("s")
    expect(anna.find("#chat-input")).to_be_focused()
    keys.press("Escape")
    expect(anna.find("#chat-input")).not_to_be_focused()
    keys.press("t")
    expect(anna.find(".text-page")).to_be_visible()
    keys.press("t")
    expect(anna.find(".text-page")).to_have_count(0)
    keys.press(card)
    expect(anna.find("#hand .chosen").first).to_be_visible()
    keys.press("Escape")
    expect(anna.find("#hand .chosen")).to_have_count(0)

    anna.find("#help").focus()
    keys.press("?")
    expect(anna.find("#help-dialog")).to_be_visible()
    expect(anna.find("#help-panel")).to_contain_text("What the figures mean")
    anna.find("#tab-table").focus()
    keys.press("ArrowRight")
    anna.find("#pref-shortcuts").focus()
    keys.press("Space")
    keys.press("Escape")
    expect(anna.find("#help-dialog")).to_have_count(0)
    expect(anna.find("#help")).to_be_focused()
    for key in (card, "p", "t", "?"):
        keys.press(key)
    expect(anna.find("#hand .chosen, #paused, .text-page, #help-dialog")).to_have_count(0)
    keys.press("ArrowRight")
    expect(anna.find("#board .pointed").first).to_be_visible()


def test_decks_and_piles_are_chosen_and_sorted_by_their_numbers(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], edition="ausgebremst", course="yellow")
    anna.begin()
    keys = anna.page.keyboard
    asked: list[str] = []
    at = anna.past(-1)
    while "draw" not in asked:
        if anna.on_turn == 0:
            question = anna.called(at)
            at = int(anna.shown["changed"])
            asked.append(question["asks"])
            if question["asks"] == "deck":
                keys.press("2")
                keys.press("Enter")
            elif question["asks"] == "sort":
                third = anna.find('.sort-pile[data-pile="2"] [data-card]')
                before = third.count()
                anna.find('.sort-pile[data-pile="0"] [data-card]').last.focus()
                keys.press("3")
                expect(third).to_have_count(before + 1)
                anna.page.get_by_role("button", name="The usual sorting").focus()
                keys.press("Enter")
                expect(third).to_have_count(before)
                expect(anna.find("#confirm")).to_be_enabled()
                anna.find("#confirm").focus()
                keys.press("Enter")
            elif question["asks"] == "draw":
                keys.press(str(question["offers"][0]["move"]["pile"] + 1))
                keys.press("Enter")
            else:
                press_an_answer(anna, question)
        at = anna.past(at)
    assert asked[:2] == ["deck", "sort"]
    assert next(sent["move"]["deck"] for sent in anna.sent if sent["do"] == "move") != "slow"


def test_the_curtain_holds_the_focus_and_l_lifts_it(invite: Invite) -> None:
    screen = invite()
    screen.lay([{"kind": "here", "name": name} for name in ("Anna", "Ben")])
    screen.begin()
    expect(screen.find("#lift")).to_be_focused()
    for _ in range(3):
        screen.page.keyboard.press("Tab")
        assert screen.page.evaluate("() => document.activeElement.matches('#lift, body')")
    screen.page.keyboard.press("l")
    expect(screen.find("#curtain")).to_have_count(0)
    expect(screen.find("#live-call")).to_contain_text("Your turn")
    screen.page.keyboard.press("l")
    expect(screen.find("#curtain")).to_be_visible()


def offers_in(snapshot: str) -> list[str]:
    """The offers that stand on a page, read from its accessibility tree."""
    told = snapshot.partition('heading "What you can do"')[2].partition("heading")[0]
    return re.findall(r"""listitem:\s*\n\s*- '?button "([^"]+)\"""", told)


def test_a_whole_race_in_words_through_the_accessibility_tree_alone(invite: Invite) -> None:
    homer = invite()
    quick(homer)
    homer.goto("/?text=1")
    homer.page.get_by_role("button", name="Race now").press("Enter")
    main = homer.page.get_by_role("main")
    expect(main.get_by_role("heading", level=1)).to_have_count(1)
    expect(main.get_by_role("heading", name="The race", exact=True)).to_be_visible()
    at, answers = homer.past(-1), 0
    while not main.get_by_role("heading", name=re.compile("wins the race|Nobody came home")).is_visible():
        if main.get_by_role("heading", name="What you can do").is_visible():
            snapshot = main.aria_snapshot()
            offers = offers_in(snapshot)
            assert offers, snapshot
            assert "You hold" in snapshot or "hold no cards" in snapshot
            main.get_by_role("button", name=offers[0], exact=True).click()
            confirm = main.get_by_role("button", name=re.compile("^(Play|Miss|Withdraw|Confirm)"))
            expect(confirm).to_be_focused()
            now = homer.past(-1)
            confirm.press("Enter")
            at = homer.past(now)
            answers += 1
        elif not homer.shown["race"]["over"] and homer.on_turn not in homer.shown["yours"]:
            at = homer.past(at)
    assert answers > 5
    expect(main.get_by_role("table", name="The race")).to_be_visible()
    expect(main.get_by_role("button", name="Race again")).to_be_enabled()
    assert homer.page.get_by_role("main").aria_snapshot().count("listitem") > answers
    main.get_by_role("button", name="The table drawn").last.click()
    expect(homer.find("#board svg.play")).to_be_visible()


def test_a_listener_hears_at_once_that_it_is_his_turn_and_then_what_happens(invite: Invite) -> None:
    anna = invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "scorpus"])
    anna.begin()
    anna.called()
    call, story = anna.find('#live-call[aria-live="assertive"]'), anna.find('#live[aria-live="polite"]')
    expect(call).to_contain_text(re.compile(r"Your turn.*You hold \d, \d and \d", re.DOTALL))
    anna.answer()
    expect(story).to_contain_text(re.compile("Anna|Scorpus"))


def test_a_whole_race_by_touch_on_a_phone(invite: Invite) -> None:
    livia = invite(**PHONE)
    quick(livia)
    livia.goto("/")
    livia.find(".start .primary").tap()
    expect(livia.find(".phase-racing, .phase-podium, .phase-over")).to_be_visible()

    def tap_an_answer(question: dict[str, Any]) -> None:
        offer = question["offers"][0]
        if offer["to"] is not None:
            livia.find(f'#hand [data-card="{offer["card"]}"]').first.tap()
        if livia.find("#confirm").is_disabled():
            livia.find(f'#question [data-offer="{offer["name"]}"]').tap()
        livia.find("#confirm").tap()

    drive(livia, tap_an_answer)
    expect(livia.find("#podium")).to_be_visible()
    assert livia.page.evaluate("() => document.scrollingElement.scrollWidth") <= 360
    livia.find("#rematch").tap()
    expect(livia.find("#podium")).to_have_count(0)


# Everything that moves by itself, and what on the board is elsewhere from one frame to the next.
MOVES = """async () => {
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const placed = () => new Map([...document.querySelectorAll("#board [transform], #board [style]")]
    .map((one) => [one, `${one.getAttribute("transform")} ${one.getAttribute("style")}`]));
  await frame();
  const running = document.getAnimations().filter((one) => one.playState === "running");
  const long = running.filter((one) => one.effect.getComputedTiming().activeDuration > 1);
  const moved = long.map((one) => one.animationName ?? one.transitionProperty);
  let before = placed();
  for (let i = 0; i < 10; i++) {
    await frame();
    const now = placed();
    for (const [one, where] of now)
      if ((before.get(one) ?? where) !== where) moved.push(one.outerHTML.slice(0, 200));
    before = now;
  }
  return moved;
}"""


PLACED = """() => {
  document.querySelector("main").style.marginTop = "7px";
  return getComputedStyle(document.querySelector("main")).marginTop;
}"""


def test_nothing_moves_for_who_wants_no_motion(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus", "festina"], options={"race_ends": "first_home"})
    anna.begin()
    while not anna.shown["race"]["over"]:
        race(anna, turns=1)
        expect(anna.find("#question.called, #podium").first).to_be_visible()
        assert anna.page.evaluate(MOVES) == []
    assert anna.page.evaluate(PLACED) == "7px", "what is laid out anew is there at once"


LIVERIES = """async () => {
  const loaded = performance.getEntriesByType("resource").map((one) => one.name);
  return (await import(loaded.find((name) => name.endsWith("lib/liveries.js")))).LIVERIES;
}"""


def test_colours_are_told_apart_by_their_signs_and_nothing_is_told_by_colour_alone(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", *["scorpus"] * 5], options={"tribute": "dishonour"})
    anna.begin()
    anna.called_to_drive()
    liveries = anna.page.evaluate(LIVERIES)
    assert len({livery["sign"] for livery in liveries.values()}) == len(liveries) == 6
    for name, livery in liveries.items():
        assert contrast(livery["paint"], livery["ink"]) >= 3, f"the sign of {name} is hard to see"
    drawn = anna.find("#board .chariots path").evaluate_all("(paths) => paths.map((path) => path.getAttribute('d'))")
    assert {livery["sign"] for livery in liveries.values()} <= set(drawn), "chariots on the board carry their signs"
    for row in anna.find("#seats [data-chariot]").all():
        text = row.inner_text() + " ".join(row.locator("[title]").evaluate_all("(all) => all.map((one) => one.title)"))
        assert re.search(r"[+−–±]\s*\d|\d", text), "points to spare are a number with its sign"
        assert re.search("owes|paid|coin", text + (row.text_content() or "")), "the coin is told in words too"
