"""What a race feels like, in a real browser: moments that come and go, and that say the same where nothing moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from players_in_browser import Invite, Person, race

STILL = "() => document.getAnimations().every((one) => one.playState === 'finished')"
PLAYED = "() => import(document.querySelector('script[type=module]').src.replace('app.js', 'lib/sounds.js'))"
# Writes down what is called out over the board, as soon as it is there.
HEARD = """() => {
  window.cries = [];
  new MutationObserver(() => {
    const found = document.querySelector(".stage-cry, .stage-photo");
    const cry = found ? `${found.className}: ${found.innerText}` : "";
    if (cry && cry !== window.cries.at(-1)) window.cries.push(cry);
  }).observe(document.body, { childList: true, subtree: true });
}"""


# Lets frames be held back, and writes down what the page shows as soon as it has heard something.
HELD = """(() => {
  const frame = window.requestAnimationFrame.bind(window);
  const waiting = [];
  window.held = false;
  window.requestAnimationFrame = (draw) => (window.held ? waiting.push(draw) : frame(draw));
  window.release = () => {
    window.held = false;
    for (const draw of waiting.splice(0)) frame(draw);
  };
  window.page = () => ({
    changed: Number(document.querySelector(".table-page")?.dataset.changed ?? -1),
    story: document.querySelectorAll("#story .turn").length,
    standings: document.querySelector("#seats")?.innerText ?? "",
    status: document.querySelector("#status")?.innerText ?? "",
    asked: document.querySelector("#question.called") !== null,
  });
  window.heard = [];
  window.WebSocket = class extends WebSocket {
    constructor(...where) {
      super(...where);
      this.addEventListener("message", ({ data }) => {
        const told = JSON.parse(data);
        if (told.is !== "news") return;
        const drives = told.story.some((line) => line.kind === "turn" && line.way?.length);
        const [before, changed] = [window.page(), told.table.changed];
        const look = () => window.heard.push({ drives, before, changed, after: window.page() });
        setTimeout(() => setTimeout(look));
      });
    }
  };
})()"""


# Parts of the podium that lie one over another or beyond its edge; they should stand one below the other.
PILED = """() => {
  const podium = document.querySelector("#podium");
  const parts = ["h2", ".step-1 .call", "#to-you", ".podium-next", ".next", "#figures > summary"];
  parts.push("#places", "#record", "#fairness");
  const boxes = parts.map((part) => podium.querySelector(part).getBoundingClientRect());
  const over = parts.filter((_, i) => i && boxes[i].top < boxes[i - 1].bottom - 1);
  const wide = parts.filter((_, i) => boxes[i].left < 0 || boxes[i].right > innerWidth + 1);
  return [...over, ...wide];
}"""
# What is seen of the board, once it fits the room for it: from where, and how many points of the screen a unit has.
VIEW = """() => {
  const svg = document.querySelector("svg.play");
  const { x, width, height } = svg.viewBox.baseVal;
  const fits = Math.abs(width / height - svg.clientWidth / svg.clientHeight) < 0.01;
  return fits && { x, scale: svg.getScreenCTM().a };
}"""
LEAST = 0.9  # a space is 40 units wide, a finger needs 36 points
# Whether something lies wholly within what is seen of the board.
IN_SIGHT = """(what) => {
  const [frame, ...boxes] = ["svg.play", what].flatMap((one) => [...document.querySelectorAll(one)])
    .map((one) => one.getBoundingClientRect());
  return boxes.length > 0 && boxes.every((box) => box.left >= frame.left && box.right <= frame.right &&
    box.top >= frame.top && box.bottom <= frame.bottom);
}"""
# Whether the whole board is seen, and no smaller than it must be.
FRAMED = """() => {
  const svg = document.querySelector("svg.play");
  const frame = svg.getBoundingClientRect();
  const board = document.querySelector("#board-frame rect");
  const [width, height] = ["width", "height"].map((side) => board.getAttribute(side) * svg.getScreenCTM().a);
  const [beside, above] = [frame.width - width, frame.height - height];
  return Math.abs(Math.min(beside, above)) < 1;
}"""


def drives_off(person: Person, *, held: bool = False) -> dict[str, Any]:
    """Play a card that leads somewhere, with frames held back or not; what the page shows as soon as it has heard."""
    question, offer = person.called_to_drive()
    person.page.evaluate("(held) => { window.heard = []; window.held = held; }", held)
    person.point(offer, question)
    person.page.keyboard.press("Enter")
    driven = "() => window.heard.find((one) => one.drives)"
    heard: dict[str, Any] = person.page.wait_for_function(driven, polling=50).json_value()
    return heard


def hail(question: dict[str, Any]) -> Any:
    """The offer that pays Caesar, if there is one; else what suggests itself."""
    return next((offer for offer in question["offers"] if offer["pays"]), question["offers"][0])


def drive_until(person: Person, met: Callable[[], bool]) -> None:
    """Drive on, paying when it can be paid, until something is so or the race is over."""
    at = person.past(-1)
    while not met() and not person.shown["race"]["over"]:
        if person.on_turn in person.shown["yours"]:
            person.answer(at, choose=hail)
        if not person.shown["race"]["over"]:
            at = person.past(at)


def view(person: Person) -> dict[str, float]:
    """What of the board the page shows."""
    seen: dict[str, float] = person.page.wait_for_function(VIEW).json_value()
    return seen


def paid(person: Person) -> bool:
    mine = person.shown["yours"][0]
    return any(one["seat"] == mine and not one["coin"] for one in person.shown["race"]["chariots"])


def test_the_page_says_what_a_turn_has_led_to_when_its_chariot_stands_and_not_before(invite: Invite) -> None:
    anna = invite(motion=True)
    anna.page.add_init_script(HELD)
    anna.lay(["here", "scorpus"], pace=0)
    anna.begin()
    anna.called()
    expect(anna.find("#board .painting svg")).to_be_visible()

    heard = drives_off(anna, held=True)
    assert heard["before"]["changed"] < heard["changed"]
    assert heard["after"] == {**heard["before"], "asked": False, "status": heard["after"]["status"]}
    anna.page.evaluate("() => window.release()")
    anna.past(heard["changed"] - 1)
    anna.called()
    lines = [line for frame in anna.frames for line in frame.get("story", [])]
    expect(anna.find("#story .turn")).to_have_count(sum(line["kind"] == "turn" for line in lines))

    heard = drives_off(anna, held=True)
    assert heard["after"]["changed"] < heard["changed"]
    anna.page.keyboard.press("Shift")  # whoever cannot wait does not have to, and no frame is drawn yet
    seen = "(changed) => window.page().changed >= changed"
    anna.page.wait_for_function(seen, arg=heard["changed"], polling=50)
    anna.page.evaluate("() => window.release()")


def test_without_motion_the_page_says_everything_at_once(invite: Invite) -> None:
    anna = invite()
    anna.page.add_init_script(HELD)
    anna.lay(["here", "scorpus"], pace=0)
    anna.begin()
    for _ in range(3):
        heard = drives_off(anna)
        assert heard["after"]["changed"] >= heard["changed"]
        assert heard["after"]["story"] > heard["before"]["story"]


def test_without_motion_everything_is_said_and_nothing_moves(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], pace=0)
    anna.page.evaluate(HEARD)
    anna.begin()
    anna.called()
    drive_until(anna, lambda: paid(anna))
    assert paid(anna)
    expect(anna.find("#question.called")).to_be_visible()
    race(anna)
    expect(anna.find("#podium .step-1 svg")).to_be_visible()
    expect(anna.find("#to-you")).not_to_be_empty()
    expect(anna.find("#places tr")).to_have_count(2)
    wasted = [one["wasted"] for one in anna.shown["race"]["chariots"] if not one["disqualified"]]
    for points in wasted:
        expect(anna.find("#places")).to_contain_text(f"wasted {points}" if points else "wasted nothing")
    expect(anna.find("#podium")).not_to_contain_text("laurel")  # one race earns none that count
    anna.find("#look").click()
    expect(anna.find("#podium")).to_have_count(0)
    anna.find("#podium-back").click()
    anna.page.set_viewport_size({"width": 360, "height": 640})
    expect(anna.find("#podium")).to_be_visible()
    for folded in ("#places", "#record", "#fairness"):
        expect(anna.find(folded)).to_be_hidden()
    anna.find("#figures > summary").click()
    expect(anna.find("#fairness")).to_be_visible()
    assert anna.page.evaluate(PILED) == []
    cries = anna.page.evaluate("window.cries")
    assert any(cry.startswith("stage-cry ave own") and "coin" in cry for cry in cries), cries
    anna.page.wait_for_function(STILL)


def test_caesar_is_hailed_who_is_home_is_called_out_and_laurels_are_explained(invite: Invite) -> None:
    anna = invite(motion=True)
    anna.lay(["here", "scorpus", "festina"], pace=0, tournament=True)
    anna.page.evaluate("localStorage.setItem('avecaesar.motion', '\"at once\"')")
    anna.page.reload()
    anna.page.evaluate(HEARD)
    anna.begin()
    anna.called()
    drive_until(anna, lambda: paid(anna))
    expect(anna.find(".stage-cry.own")).to_have_count(0)
    race(anna)
    expect(anna.find("#podium")).to_be_visible()
    expect(anna.find(".stage-cry, .stage-photo")).to_have_count(0)
    cries = anna.page.evaluate("window.cries")
    assert any(cry.startswith("stage-cry ave own") for cry in cries), cries
    assert any(cry.startswith(("stage-cry home", "stage-photo")) for cry in cries), cries
    expect(anna.find("#podium")).to_contain_text("Every race earns laurels")


PHOTO = """async () => {
  const app = document.querySelector("script[type=module]").src;
  const { show } = await import(app.replace("app.js", "table/moments.js"));
  const second = { name: "Brutus", colour: "blue", status: "home", to_go: 0 };
  show({ kind: "photo", first: { name: "Aulus", colour: "red" }, next: second, turn: 97 });
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  while (!document.querySelector(".stage-photo figcaption")) await frame();
  return document.querySelector(".stage-photo figcaption").textContent;
}"""


def test_a_photo_shows_the_first_one_home_and_who_followed(invite: Invite) -> None:
    anna = invite(motion=True)
    anna.lay(["scorpus", "festina"])
    expect(anna.find("#board svg.play")).to_be_visible()
    told = anna.page.evaluate(PHOTO)
    assert "Aulus is home first, in turn 97" in told
    assert "Brutus follows in the same round" in told


# A second board comes before the first has gone, as when the painting arrives; `driven` are those that were told.
TAKEN_OVER = """async () => {
  const app = document.querySelector("script[type=module]").src;
  const { Session } = await import(app.replace("app.js", "table/session.js"));
  const session = new Session(location.pathname.split("/").at(-1));
  window.driven = [];
  const track = (name) => ({ drive: () => (window.driven.push(name), session.arrived()), forget: () => undefined });
  const leave = session.driveOn(track("first"));
  session.driveOn(track("second"));
  leave();
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  while (!session.shown.value) await frame();
}"""


def test_who_comes_by_a_link_sees_chariots_drive_however_late_the_painting_comes(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"])
    anna.begin()
    anna.called_to_drive()
    anna.page.evaluate(TAKEN_OVER)
    anna.answer()
    anna.page.wait_for_function("() => window.driven.length > 0")
    assert set(anna.page.evaluate("window.driven")) == {"second"}


# Counts what is changed in the painting behind the chariots; the least thing there has all of it painted anew.
PAINTED = """() => {
  window.painted = [];
  new MutationObserver((changes) => window.painted.push(...changes.map((one) => one.attributeName ?? one.type)))
    .observe(document.querySelector(".painting"), { attributes: true, childList: true, subtree: true });
}"""


def test_the_board_is_painted_once_and_not_with_every_turn(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus", "festina"])
    anna.begin()
    anna.called_to_drive()
    anna.page.evaluate(PAINTED)
    race(anna, turns=4)
    anna.called()
    assert anna.page.evaluate("window.painted") == []


def test_on_a_phone_a_tap_does_not_move_the_board_and_another_on_the_chosen_space_plays(invite: Invite) -> None:
    livia = invite(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    livia.lay(["here", "scorpus"], pace=0)
    livia.begin()
    _, offer = livia.called_to_drive()
    seen = "() => { const { x, width } = document.querySelector('svg.play').viewBox.baseVal; return [x, width]; }"
    before = livia.page.evaluate(seen)
    livia.find(f'#hand [data-card="{offer["card"]}"]').first.tap()
    expect(livia.find("#hand .chosen").first).to_be_visible()
    assert [round(one, 3) for one in livia.page.evaluate(seen)] == [round(one, 3) for one in before]
    at = livia.shown["changed"]
    if livia.find("#board .space.chosen").count() == 0:
        livia.click_space(offer["to"])
        expect(livia.find("#board .space.chosen")).to_have_count(1)
        assert livia.shown["changed"] == at
    livia.click_space(offer["to"])
    livia.past(at)


def test_a_phone_shows_the_whole_board_with_its_frame_or_spaces_that_a_finger_can_hit(invite: Invite) -> None:
    livia = invite(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    livia.lay(["here", "scorpus"], pace=0)
    expect(livia.find("#board .painting svg")).to_be_visible()
    livia.page.wait_for_function(FRAMED)
    livia.begin()
    livia.called_to_drive()
    assert view(livia)["scale"] >= LEAST
    assert livia.page.evaluate(IN_SIGHT, "#board .chariot.asked .upright")
    for card in livia.find("#hand [data-card]:not([aria-disabled=true])").all():
        card.tap()
        if livia.find("#board .space.target").count():
            assert view(livia)["scale"] >= LEAST
            assert livia.page.evaluate(IN_SIGHT, "#board .marks g")
    livia.find("#clear").tap()

    before, at = view(livia), livia.shown["changed"]
    livia.page.mouse.move(180, 200)
    livia.page.mouse.down()
    livia.page.mouse.move(60, 200, steps=4)
    livia.page.mouse.up()
    after = view(livia)
    assert after["x"] > before["x"] + 20
    assert (after["scale"], livia.shown["changed"]) == (before["scale"], at)
    expect(livia.find("#board .space.chosen")).to_have_count(0)
    livia.find("#nearer").tap()
    livia.page.wait_for_function(FRAMED)


def test_who_mutes_the_page_hears_nothing_now_and_next_time(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], pace=0)
    anna.begin()
    anna.called()
    played = f"async () => (await ({PLAYED})()).played.length"
    assert anna.page.evaluate(played) > 0
    anna.page.get_by_role("button", name="Sound is on").click()
    before = anna.page.evaluate(played)
    anna.answer(manner="cards")
    anna.called()
    assert anna.page.evaluate(played) == before
    anna.page.reload()
    anna.called()
    anna.answer(manner="cards")
    anna.called()
    assert anna.page.evaluate(played) == 0
