/**
 * The rules of an edition: its clauses in the order in which one learns them, with little races that show them.
 * @module
 * @import { Rulebook } from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { decoded, Link } from "../lib/router.js";
import { Wheel } from "../lib/wheel.js";
import { words as all } from "../lib/words.js";
import { Differences, Variants } from "../rules/differences.js";
import { ClausePart } from "../rules/clause.js";
import words from "../words/rules.js";

const USUAL = "ravensburger";
const NUMERALS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"];

/** The clause or chapter after the #. */
const asked = () => decoded(location.hash.slice(1)) ?? "";

/** @param {{ params: Record<string, string> }} props */
export default function Page({ params }) {
  const edition = params["edition"] ?? USUAL;
  const book = useSignal(/** @type {Rulebook | null} */ (null));
  const problem = useSignal("");
  const tries = useSignal(0);
  useEffect(() => {
    let wanted = true;
    problem.value = "";
    document.title = words.pageTitle;
    api.rules(edition).then(
      (answer) => wanted && (book.value = answer),
      (thrown) => wanted && (problem.value = api.sentence(thrown)),
    );
    return () => void (wanted = false);
  }, [edition, tries.value]);
  if (problem.value) {
    return html`<div class="whole-page">
      <${Wheel} />
      <h1>${words.lostTitle}</h1>
      <p role="alert">${problem.value}</p>
      <p class="row">
        <button class="button" type="button" onClick=${() => (tries.value += 1)}>${all.shell.tryAgain}</button>
        <${Link} class="button primary" href="/rules">${words.title}<//>
      </p>
    </div>`;
  }
  if (!book.value) {
    return html`<div class="whole-page"><${Wheel} rolling /><p class="soft" role="status">${words.loading}</p></div>`;
  }
  return html`<${Scroll} key=${book.value.edition} book=${book.value} />`;
}

/** @param {{ book: Rulebook }} props */
function Scroll({ book }) {
  const target = useSignal(asked());
  useEffect(() => {
    const go = () => {
      target.value = asked();
      const there = target.value && document.getElementById(target.value);
      if (!there) return;
      there.scrollIntoView({ block: "start" });
      there.focus({ preventScroll: true });
    };
    go();
    addEventListener("hashchange", go);
    return () => removeEventListener("hashchange", go);
  }, []);
  const clauses = [...book.chapters.flatMap((chapter) => chapter.clauses), ...book.agreed];
  const known = new Map(clauses.map((clause) => [clause.id, clause.title]));
  const parts = [...book.chapters.map(({ chapter }) => chapter), "differences", "variants"];
  return html`<div class="rb" data-edition=${book.edition}>
    <header class="rb-head">
      <h1>${words.title}</h1>
      <p class="rb-subtitle">${book.title}</p>
      <nav class="rb-editions" aria-label=${words.editions}>
        ${book.editions.map(
          ({ name, short, title }) => html`<${Link} key=${name} href=${`/rules/${name}`} title=${title} aria-current=${name === book.edition ? "page" : undefined}>
            ${short}
          <//>`,
        )}
      </nav>
    </header>
    <nav class="rb-contents" id="contents" aria-label=${words.contents} tabindex="-1">
      <h2>${words.contents}</h2>
      <ol>
        ${parts.map(
          (part, i) => html`<li key=${part}><a href=${`#${part}`}><span aria-hidden="true">${NUMERALS[i]}</span> ${words.chapters[part]}</a></li>`,
        )}
      </ol>
      <button class="button quiet small rb-print" type="button" onClick=${() => print()}>${words.print}</button>
    </nav>
    <article class="rb-scroll">
      ${book.chapters.map(
        ({ chapter, clauses: told }, i) => html`<${Part} key=${chapter} part=${chapter} numeral=${NUMERALS[i]}>
          ${words.intros[chapter] && html`<p class="rb-intro">${words.intros[chapter]}</p>`}
          ${told.map(
            (clause) => html`<${ClausePart}
              key=${clause.id}
              clause=${clause}
              scene=${book.scenes.find((scene) => scene.clause === clause.id)}
              known=${known}
              target=${target.value === clause.id}
            />`,
          )}
        <//>`,
      )}
      <${Part} part="differences" numeral=${NUMERALS[parts.length - 2]}>
        <${Differences} book=${book} />
      <//>
      <${Part} part="variants" numeral=${NUMERALS[parts.length - 1]}>
        <${Variants} book=${book} known=${known} target=${target.value} />
      <//>
    </article>
  </div>`;
}

/** @param {{ part: string, numeral: string | undefined, children?: any }} props */
function Part({ part, numeral, children }) {
  return html`<section class=${`rb-part of-${part}`} id=${part} tabindex="-1" aria-labelledby=${`title-${part}`}>
    <h2 id=${`title-${part}`}><span class="rb-numeral" aria-hidden="true">${numeral}</span> ${words.chapters[part]}</h2>
    ${children}
    <p class="rb-up"><a href="#contents">${words.toTop}</a></p>
  </section>`;
}
