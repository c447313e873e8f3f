/**
 * The form for a new table. It offers what the menu offers and asks the server about every change; it knows no rule.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { Change, Plan, Section } from "../new/form.js"
 * @import { Ready } from "../new/ready-tables.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useState } from "../lib/html.js";
import { go } from "../lib/router.js";
import { Wheel } from "../lib/wheel.js";
import { words } from "../lib/words.js";
import { CoursePart } from "../new/course.js";
import { SettingsPart } from "../new/settings.js";
import { EditionPart, HouseRulesPart } from "../new/edition.js";
import { Part } from "../new/form.js";
import { ReadyTables, readyOf, readyPlan } from "../new/ready-tables.js";
import { SeatsPart } from "../new/seats.js";
import { inShort, Summary } from "../new/summary.js";

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
  if (menu) return html`<${Form} menu=${menu} first=${readyOf(params["ready"])} />`;
  return html`<div class="whole-page">
    <${Wheel} rolling=${!trouble} />
    ${trouble
      ? html`<p class="trouble" role="alert">${trouble}</p>
          <button class="button" type="button" onClick=${ask}>${words.shell.tryAgain}</button>`
      : html`<p class="soft">${words.shell.loading}</p>`}
  </div>`;
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

/** @param {{ menu: t.Menu, first: Ready }} props */
function Form({ menu, first }) {
  const [ready, setReady] = useState(/** @type {Ready | null} */ (first)); // null: changed since
  const [plan, setPlan] = useState(() => readyPlan(menu, first));
  const [board, setBoard] = useState(/** @type {t.BoardKept | null} */ (null));
  const [touched, setTouched] = useState(/** @type {Section | null} */ (null));
  const [laying, setLaying] = useState(false);
  const [refused, setRefused] = useState("");
  const { checked, asking } = useCheck(plan);

  /** @type {Change} */
  const change = (section, patch) => {
    setPlan((before) => ({ ...before, ...patch }));
    setReady(null);
    setTouched(section);
    setRefused("");
  };
  const choose = (/** @type {Ready} */ chosen) => {
    setPlan(readyPlan(menu, chosen));
    setReady(chosen);
    setBoard(null);
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
      <${ReadyTables} menu=${menu} chosen=${ready} choose=${choose} />
      <h2 class="plan-more">${words.plan.details}</h2>
      <${Part} title=${words.plan.seats} says=${says.seats} problem=${said("seats")}>
        <${SeatsPart} menu=${menu} plan=${plan} change=${change} />
      <//>
      <${Part} title=${words.plan.course} says=${says.course} problem=${said("course")}>
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
      <${Part} title=${words.plan.manner} says=${says.manner} problem=${said("manner")}>
        <${SettingsPart} menu=${menu} plan=${plan} change=${change} />
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
