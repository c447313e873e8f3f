/**
 * The form for a new table. It offers what the menu offers and asks the server about every change; it knows no rule.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { Change, Plan, Section } from "../new/parts.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useState } from "../lib/html.js";
import { myColour, myName } from "../lib/prefs.js";
import { go } from "../lib/router.js";
import { Wheel } from "../lib/wheel.js";
import { words } from "../lib/words.js";
import { CoursePart } from "../new/course.js";
import { MannerPart } from "../new/manner.js";
import { Part } from "../new/parts.js";
import { EditionPart, HouseRulesPart } from "../new/rules.js";
import { dressed, SeatsPart } from "../new/seats.js";
import { inShort, Summary } from "../new/summary.js";

const ROOMY = matchMedia("(width >= 60rem)");
const PATIENCE = 180; // milliseconds without a change until the server is asked

/** @param {{ params: Record<string, string> }} props */
export default function New({ params }) {
  const [menu, setMenu] = useState(/** @type {t.Menu | null} */ (null));
  const [trouble, setTrouble] = useState("");
  const ask = () => {
    setTrouble("");
    api.menu().then(setMenu, (thrown) => setTrouble(api.sentence(thrown)));
  };
  useEffect(() => {
    document.title = words.plan.title;
    ask();
  }, []);
  if (menu) return html`<${Form} menu=${menu} open=${params["open"] === "yes"} />`;
  return html`<div class="whole-page">
    <${Wheel} rolling=${!trouble} />
    ${trouble
      ? html`<p class="trouble" role="alert">${trouble}</p>
          <button class="button" type="button" onClick=${ask}>${words.shell.tryAgain}</button>`
      : html`<p class="soft">${words.shell.loading}</p>`}
  </div>`;
}

/**
 * What the form begins with: the table of Race now, for this reader; or the same for whoever comes.
 * @param {t.Menu} menu
 * @param {boolean} open
 * @returns {Plan}
 */
function firstPlan(menu, open) {
  const colour = menu.colours.find((colour) => colour === myColour.value) ?? null;
  const seats = menu.defaults.seats.map((seat, index) => {
    if (index === 0) return { ...seat, name: myName.value.trim(), colour };
    return open ? { kind: /** @type {const} */ ("friend"), name: "", colour: null, driver: "" } : seat;
  });
  return { ...menu.defaults, open, seats: dressed(seats, menu.colours) };
}

/**
 * What the server says about a plan, asked whenever the plan changes.
 * @param {Plan} plan
 */
function useCheck(plan) {
  const [checked, setChecked] = useState(/** @type {t.Checked | null} */ (null));
  const [asking, setAsking] = useState(true);
  const wanted = JSON.stringify(plan);
  useEffect(() => {
    const asked = new AbortController();
    setAsking(true);
    const timer = setTimeout(async () => {
      try {
        setChecked(await api.check(plan, asked.signal));
      } catch (thrown) {
        if (asked.signal.aborted) return;
        setChecked({ problem: api.sentence(thrown), chariots: 0, riderless: 0, stages: [], house_rules: [] });
      }
      setAsking(false);
    }, PATIENCE);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [wanted]);
  return { checked, asking };
}

/** @param {{ menu: t.Menu, open: boolean }} props */
function Form({ menu, open }) {
  const [plan, setPlan] = useState(() => firstPlan(menu, open));
  const [board, setBoard] = useState(/** @type {t.BoardChecked | null} */ (null));
  const [touched, setTouched] = useState(/** @type {Section | null} */ (null));
  const [laying, setLaying] = useState(false);
  const [refused, setRefused] = useState("");
  const { checked, asking } = useCheck(plan);

  /** @type {Change} */
  const change = (section, patch) => {
    setPlan((before) => ({ ...before, ...patch }));
    setTouched(section);
    setRefused("");
  };
  const problem = checked?.problem ?? "";
  /** @param {Section} section */
  const said = (section) => (touched === section && !asking ? problem : "");

  const says = inShort(menu, plan, board, checked);

  async function begin() {
    if (laying) return;
    setLaying(true);
    setRefused("");
    try {
      const laid = await api.lay(plan);
      const waits = plan.seats.some((seat) => seat.kind === "friend");
      go(`/t/${laid.table}`, { flags: { begin: !waits } });
    } catch (thrown) {
      setRefused(api.sentence(thrown));
      setLaying(false);
    }
  }

  return html`<form class="plan" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()} novalidate>
    <header class="plan-head">
      <h1>${words.plan.headline}</h1>
      <p class="soft">${words.plan.lead}</p>
    </header>
    <div class="plan-parts">
      <${Part} title=${words.plan.seats} says=${says.seats} open problem=${said("seats")}>
        <${SeatsPart} menu=${menu} plan=${plan} change=${change} />
      <//>
      <${Part} title=${words.plan.course} says=${says.course} open=${ROOMY.matches} problem=${said("course")}>
        <${CoursePart}
          menu=${menu}
          plan=${plan}
          change=${change}
          board=${board}
          setBoard=${setBoard}
          stages=${checked?.stages ?? []}
        />
      <//>
      <${Part} title=${words.plan.edition} says=${says.edition} problem=${said("edition")}>
        <${EditionPart} menu=${menu} plan=${plan} change=${change} />
      <//>
      <${Part} title=${words.plan.houseRules} says=${says.rules} problem=${said("rules")}>
        <${HouseRulesPart} menu=${menu} plan=${plan} change=${change} />
      <//>
      <${Part} title=${words.plan.manner} says=${says.manner} open=${open} problem=${said("manner")}>
        <${MannerPart} menu=${menu} plan=${plan} change=${change} />
      <//>
    </div>
    <${Summary}
      menu=${menu}
      plan=${plan}
      board=${board}
      checked=${checked}
      asking=${asking}
      laying=${laying}
      refused=${refused}
      begin=${begin}
    />
  </form>`;
}
