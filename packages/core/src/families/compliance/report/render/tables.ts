import type { ControlState } from "../../posture/compute/control.js";
import type { Report, ReportControl, ReportFramework } from "../schema.js";
import { stateName } from "./charts.js";
import { html, type Markup } from "./markup.js";
import { assessment } from "./registers.js";
import { row, table } from "./table.js";
import { because, counted, day, percent, prose, words } from "./words.js";

const badge = (state: ControlState): Markup => html`<span class="state ${state}">${stateName(state)}</span>`;

/** The unit is for small screens, which do not show the column heads. */
const number = (value: string | number, unit: string): Markup =>
  html`${value} <span class="unit" aria-hidden="true">${unit}</span>`;

export function frameworkTable(frameworks: readonly ReportFramework[]): Markup {
  const rows = frameworks.map(({ name, edition, score, coverage, nonCompliant }, index) =>
    row(
      html`<a href="#framework-${index}">${name}</a> <span class="soft">${edition}</span>`,
      number(percent(score), "score"),
      number(percent(coverage), "coverage"),
      number(nonCompliant, "not met"),
    ),
  );
  return table(
    counted(frameworks.length, "framework"),
    ["Framework", "Score", "Coverage", "Not met"],
    rows,
    " numbers",
  );
}

/**
 * The gaps that were assessed. Controls without assessment are only counted, because the list of controls shows them.
 */
export function gaps(framework: ReportFramework): Markup {
  const found = framework.gaps.filter(({ state }) => state !== "not_assessed");
  const unknown = framework.gaps.length - found.length;
  if (framework.gaps.length === 0) return html`<p>There is no gap.</p>`;
  const rows = found.map(({ controlId, title, state, openFindings, guidance, reasons }) =>
    row(
      html`<b>${controlId}</b> ${title}`,
      badge(state),
      html`${openFindings > 0 && `${counted(openFindings, "open finding")}. `}${because(reasons)} ${prose(guidance)}`,
    ),
  );
  const shown =
    found.length > 0 &&
    table(`${counted(found.length, "gap")}, the gravest first`, ["Control", "State", "Why, and what to do"], rows);
  const rest =
    unknown > 0 && html`<p>Nothing is known of ${counted(unknown, "control")}: see “Not assessed” below.</p>`;
  return html`${shown}${rest}`;
}

export function exemptions(controls: readonly ReportControl[]): Markup {
  const accepted = controls.filter(({ state, rules }) => state === "exempted" || rules.exempted + rules.dismissed > 0);
  if (accepted.length === 0) return html`<p>Nothing is exempted.</p>`;
  const rows = accepted.map((control) => {
    const { exempted, dismissed } = control.rules;
    const findings = [
      exempted > 0 && counted(exempted, "exempted finding"),
      dismissed > 0 && counted(dismissed, "dismissed finding"),
    ].filter(Boolean);
    const what = findings.length > 0 ? `${findings.join(", ")}.` : because(control.reasons);
    return row(
      html`<b>${control.controlId}</b> ${control.title}`,
      badge(control.state),
      html`${what}${record(control)}`,
    );
  });
  return table("Controls with something that was accepted", ["Control", "State", "What was accepted"], rows);
}

/** The assessments of the organisation by the id of the record, and the report with the names of people. */
export interface Reported {
  readonly records: ReadonlyMap<string, Report["assessments"][number]>;
  readonly report: Report;
}

export function controlTable(controls: readonly ReportControl[], reported: Reported): Markup {
  const numbering = sharedNumbering(controls);
  const rows = controls.map((control) =>
    row(
      html`<b>${control.controlId} <span class="soft">${countsFor(control)}</span></b> ${control.title}${
        numbering === null && control.sourceRef !== "" && html`<small>${control.sourceRef}</small>`
      }`,
      badge(control.state),
      html`${because(control.reasons)}${rulesOf(control)}${wantedOf(control).map(
        ({ type, fresh, wanted }) => ` ${words(type)}: ${fresh} of ${wanted}.`,
      )}${control.appliesFrom && html` Binds from ${day(control.appliesFrom)}.`}${
        control.reviewOverdue && " Its review is overdue."
      }${assessed(control, reported)}`,
    ),
  );
  const caption = `${counted(controls.length, "control")}${numbering ? `, numbered as in: ${numbering}` : ""}`;
  return table(caption, ["Control", "State", "What that rests on"], rows);
}

/** The evidence that people need, where the control counts for something. */
const wantedOf = ({ state, requirements }: ReportControl) =>
  state === "not_applicable" || state === "upcoming" ? [] : requirements;

const countsFor = ({ weight, roles }: ReportControl): string =>
  `weight ${weight}${roles.length === 0 ? "" : `, for ${roles.map((role) => `${words(role).toLowerCase()}s`).join(", ")}`}`;

/** The common prefix before the id in all source references. `null` without one. */
function sharedNumbering(controls: readonly ReportControl[]): string | null {
  const [first] = controls;
  const prefix = first?.sourceRef.endsWith(first.controlId) ? first.sourceRef.slice(0, -first.controlId.length) : "";
  const shared = prefix !== "" && controls.every(({ controlId, sourceRef }) => sourceRef === `${prefix}${controlId}`);
  return shared ? prefix.replace(/[\s,;:]+$/, "") : null;
}

function rulesOf({ rules, automation }: ReportControl): string {
  const lacking = [
    ...(rules.missing.length > 0 ? [` Missing: ${rules.missing.join(", ")}.`] : []),
    ...(rules.stale.length > 0 ? [` Not asked of all assets lately: ${rules.stale.join(", ")}.`] : []),
    ...(rules.unevaluated > 0 ? [` Never evaluated: ${counted(rules.unevaluated, "asset")}.`] : []),
    ...(rules.idle.length > 0 ? [` Not evaluated: ${rules.idle.join(", ")}.`] : []),
  ].join("");
  if (rules.mapped === 0 || rules.pass + rules.fail + rules.error === 0) return lacking;
  const unknown = rules.error > 0 ? `, ${rules.error} without a result` : "";
  return ` Rules: ${rules.pass} pass, ${rules.fail} fail${unknown}; ${counted(rules.open, "open finding")}. ${automation}${lacking}`;
}

function assessed(control: ReportControl, { records, report }: Reported): Markup | false {
  const held = control.recordId === null ? undefined : records.get(control.recordId);
  return held ? assessment(held, report) : record(control);
}

/** The id of the assessment, for reference. */
const record = ({ recordId }: ReportControl): Markup | false =>
  recordId !== null && html`<small>Record <code>${recordId}</code></small>`;
