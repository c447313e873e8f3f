"""From the podium to the archive and back, in a real browser: download, verify, upload, replay."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from players_in_browser import Invite
from servers import shell


def test_a_record_is_downloaded_verified_uploaded_and_replayed(invite: Invite, tmp_path: Path) -> None:
    anna = invite()
    anna.lay(["scorpus", "festina", "scorpus"], title="For the archive")
    anna.find("#begin").click()
    expect(anna.find("#podium")).to_be_visible()
    winner = anna.find("#podium h2").inner_text().removesuffix(" wins the race")
    turns = anna.shown["race"]["turn_number"]
    anna.find("#figures > summary").click()
    with anna.page.expect_download() as download:
        anna.find("#record").click()
    record = tmp_path / download.value.suggested_filename
    download.value.save_as(record)
    verified = shell("verify", record)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert "seal" in verified.stdout

    anna.goto("/")
    upload = anna.find(".gate-of-file input")
    upload.set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b"{}"})
    expect(anna.find(".gate-of-file [role=alert]")).to_have_text(re.compile(r"\w+ \w+"))
    anna.forgiven = r"^400 .*/api/records$|status of 400"
    upload.set_input_files(record)
    expect(anna.page).to_have_url(re.compile(r"/replay/[0-9a-f]{64}"))
    now = anna.find("#now")
    expect(now).to_contain_text("The grid")
    expect(anna.find(".chariot")).to_have_count(3)
    anna.find("#turn").fill("7")
    expect(now).to_contain_text("Turn 7 of")
    expect(anna.page).to_have_url(re.compile(r"turn=7$"))
    moment = anna.page.url
    anna.page.get_by_label("Speed").select_option("10×")
    anna.page.get_by_role("button", name="Play", exact=True).click()
    expect(now).to_have_text(re.compile(r"Turn (\d+) of \1 "))
    expect(now).to_contain_text(winner)
    assert turns > 7

    friend = invite()
    friend.goto(moment)
    expect(friend.find("#now")).to_contain_text("Turn 7 of")


def test_the_podium_leads_to_the_replay_of_its_race_and_that_back_to_it(invite: Invite) -> None:
    anna = invite()
    anna.lay(["scorpus", "festina"], tournament=True)
    anna.find("#begin").click()
    for race in ("Race 1", "Race 2"):
        expect(anna.find("#podium")).to_be_visible()
        anna.find("#replay").click()
        if race == "Race 2":  # of one race there are no tabs
            expect(anna.page.get_by_role("tab", name=race)).to_have_attribute("aria-selected", "true")
        expect(anna.find("#now")).to_contain_text("The grid")
        anna.find("#table").click()
        expect(anna.find("#podium")).to_be_visible()
        if race == "Race 1":
            anna.find("#next").click()
            expect(anna.find(".where")).to_contain_text("Race 2 of")
