/**
 * Where it is driven: a course or a tournament of several, ours or those of a board of one's own.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { PartProps } from "./form.js"
 */
import * as api from "../lib/api.js";
import { html } from "../lib/html.js";
import { FileInput, useUpload } from "../lib/upload.js";
import { words } from "../lib/words.js";
import { Choices, Field, Select } from "./form.js";

/**
 * @typedef {PartProps & { board: t.BoardKept | null, setBoard: (board: t.BoardKept | null) => void,
 *   stages: [string, t.Direction][] }} CourseProps
 */
/** @typedef {keyof typeof words.plan.facts} Fact */

/** @param {CourseProps} props */
export function CoursePart(props) {
  const { plan, change } = props;
  return html`
    <${Choices}
      legend=${words.plan.length}
      value=${plan.tournament ? "tournament" : "race"}
      choices=${[
        ["race", words.plan.oneRace],
        ["tournament", words.plan.tournament],
      ]}
      onChoose=${(/** @type {string} */ value) => change("course", { tournament: value === "tournament" })}
    />
    ${plan.tournament ? html`<${Stages} ...${props} />` : html`<${OneCourse} ...${props} />`}
    <${OwnBoard} ...${props} />
  `;
}

/** The courses there are, ours or those of the board that was uploaded. @param {CourseProps} props */
const coursesOf = ({ menu, board }) => board?.courses ?? menu.courses;

/** @param {CourseProps} props */
function OneCourse(props) {
  const { menu, plan, change } = props;
  const course = coursesOf(props).find((course) => course.name === plan.course);
  const ours = menu.courses.find((course) => course.name === plan.course && !props.board);
  const directions = ours?.directions ?? /** @type {t.Direction[]} */ (Object.keys(words.shell.directions));
  const facts = /** @type {Fact[]} */ (Object.keys(words.plan.facts)).filter((fact) => course && fact in course);
  return html`<div class="course">
    <div class="course-choice">
      <${Choices}
        legend=${words.plan.course}
        value=${plan.course}
        choices=${coursesOf(props).map((course) => [course.name, words.plan.courseName(course.name)])}
        onChoose=${(/** @type {string} */ course) => change("course", { course })}
      />
      <${Choices}
        legend=${words.plan.direction}
        value=${plan.direction}
        choices=${directions.map((direction) => [direction, words.shell.directions[direction]])}
        onChoose=${(/** @type {t.Direction} */ direction) => change("course", { direction })}
      />
      <dl class="facts">
        ${facts.map((fact) => html`<div><dt>${words.plan.facts[fact]}</dt><dd>${/** @type {any} */ (course)[fact]}</dd></div>`)}
      </dl>
    </div>
    <figure>
      <img
        src=${api.picture(plan.course, plan.direction, plan.board)}
        alt=${words.plan.pictureOf(plan.course, words.shell.directions[plan.direction])}
        width="1297"
        height="1046"
      />
      <figcaption class="soft">${ours ? words.plan.boardName(ours.board_title, ours.side) : props.board?.title}</figcaption>
    </figure>
  </div>`;
}

/** @param {CourseProps} props */
function Stages(props) {
  const { plan, change, stages } = props;
  const courses = coursesOf(props).map((course) => course.name);
  const named = /** @type {[string, string][]} */ (courses.map((name) => [name, words.plan.courseName(name)]));
  const by = plan.courses ? "courses" : (plan.side ?? "");
  /** @param {string} value */
  const choose = (value) =>
    change("course", {
      side: value === "A" || value === "B" ? value : null,
      courses: value === "courses" ? courses.slice(0, 2) : null,
    });
  /** @param {(string | undefined)[]} chosen */
  const set = (chosen) => change("course", { courses: /** @type {string[]} */ (chosen.filter(Boolean)) });
  return html`<div class="stages">
    <div class="options">
      <${Field} name=${words.plan.tournamentOn}>
        ${(/** @type {string} */ id) =>
          html`<${Select}
            id=${id}
            value=${by}
            choices=${[
              ["", words.plan.byEdition],
              ["A", words.plan.side("A")],
              ["B", words.plan.side("B")],
              ["courses", words.plan.chosenCourses],
            ]}
            onChoose=${choose}
          />`}
      <//>
      ${plan.courses &&
      html`
        <${Field} name=${words.plan.firstCourse}>
          ${(/** @type {string} */ id) =>
            html`<${Select}
              id=${id}
              value=${plan.courses?.[0] ?? ""}
              choices=${named}
              onChoose=${(/** @type {string} */ name) => set([name, plan.courses?.[1]])}
            />`}
        <//>
        <${Field} name=${words.plan.secondCourse}>
          ${(/** @type {string} */ id) =>
            html`<${Select}
              id=${id}
              value=${plan.courses?.[1] ?? ""}
              choices=${[["", words.plan.noSecond], ...named]}
              onChoose=${(/** @type {string} */ name) => set([plan.courses?.[0], name])}
            />`}
        <//>
      `}
    </div>
    ${stages.length > 0 &&
    html`<div class="field">
      <p class="name">${words.plan.schedule}</p>
      <ol class="schedule">
        ${stages.map(
          ([course, direction], index) => html`<li key=${index}>
            <img src=${api.picture(course, direction, plan.board)} alt="" width="1297" height="1046" loading="lazy" />
            <span>${index + 1}. ${words.plan.stage(words.plan.courseName(course), words.shell.directions[direction])}</span>
          </li>`,
        )}
      </ol>
    </div>`}
  </div>`;
}

/** @param {CourseProps} props */
function OwnBoard({ menu, change, board, setBoard }) {
  const upload = useUpload(async (text) => {
    const found = await api.board(text);
    setBoard(found);
    const courses = found.courses.map((course) => course.name);
    change("course", { board: found.board, course: courses[0] ?? "", side: null, courses: null });
  });
  const { busy, problem } = upload;
  const forget = () => {
    setBoard(null);
    change("course", { board: null, course: menu.defaults.course, side: null, courses: null });
  };
  const named = board?.courses.map((course) => course.name) ?? [];
  return html`<details class="group" open=${board !== null || problem !== ""}>
    <summary><span>${words.plan.ownBoard}</span></summary>
    <div class="own-board">
      <p class="soft">${words.plan.ownBoardAbout}</p>
      <div class="row">
        <label class="button small file" aria-busy=${busy}>
          ${busy ? words.plan.checkingBoard : words.plan.chooseBoard}
          <${FileInput} upload=${upload} accept=".board,.txt,text/plain" />
        </label>
        ${board &&
        html`<button class="button quiet small" type="button" onClick=${forget}>${words.plan.forgetBoard}</button>`}
      </div>
      <div role="status">
        ${problem && html`<p class="trouble">${problem}</p>`}
        ${board && !problem && html`<p class="fine">${words.plan.boardFine(board.title, named)}</p>`}
      </div>
    </div>
  </details>`;
}
