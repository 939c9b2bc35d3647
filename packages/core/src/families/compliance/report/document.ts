import { type ControlState, REASONS, type Reason } from "../posture/control.js";
import { STATE_NAMES, STATES, stateBar, trendChart } from "./charts.js";
import { html, Markup } from "./markup.js";
import type { Report, ReportControl, ReportFramework } from "./schema.js";
import { CONTENT_POLICY, STYLE } from "./style.js";

/** A report as one page that needs nothing from elsewhere. */
export function reportPage(report: Report): string {
  const { asOf, inputsDigest, disclaimer, overall, frameworks } = report;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}"><title>Compliance report, ${day(asOf)}</title>
<style>${new Markup(STYLE)}</style></head><body><header><h1>Compliance report</h1>
<p class="soft">As of <time datetime="${asOf}">${moment(asOf)}</time></p><p class="notice">${disclaimer}</p></header>
<main><section aria-labelledby="overall"><h2 id="overall">All frameworks</h2>${figures(overall)}${frameworks.length > 1 && overview(frameworks)}
${trend(overall.trend, "all frameworks")}</section>${frameworks.map(frameworkSection)}</main>
<footer><h2 id="reading">How to read this</h2>
<p>The score is the weight of what is met, and half of it for what is partly met, in percent of the weight that was assessed. The coverage is how many of the controls that
apply were assessed at all. Where nothing was assessed there is no score. An exemption is no pass: what is exempted is worth what it would be without it.</p>
<dl class="facts"><dt>As of</dt><dd>${asOf}</dd><dt>Digest of the inputs</dt><dd><code>${inputsDigest}</code></dd></dl>
<p class="soft">The same report as JSON holds all inputs. Equal inputs have equal digests and give equal numbers.</p><p class="notice">${disclaimer}</p></footer></body></html>
`;
  return page.text;
}

type Numbers = Pick<
  Report["overall"],
  | "score"
  | "coverage"
  | "compliant"
  | "partial"
  | "nonCompliant"
  | "exempted"
  | "notAssessed"
  | "notApplicable"
  | "upcoming"
>;

const byState = (numbers: Numbers): Record<ControlState, number> => ({
  compliant: numbers.compliant,
  partial: numbers.partial,
  exempted: numbers.exempted,
  non_compliant: numbers.nonCompliant,
  not_assessed: numbers.notAssessed,
  not_applicable: numbers.notApplicable,
  upcoming: numbers.upcoming,
});

function figures(numbers: Numbers & { readonly applicable: number }): Markup {
  const counts = byState(numbers);
  const legend = STATES.filter((state) => counts[state] > 0).map(
    (state) => html`<li>${badge(state)} ${counts[state]}</li>`,
  );
  return html`<div class="figures"><div class="figure"><b>${percent(numbers.score)}</b><span>Score</span></div>
<div class="figure"><b>${percent(numbers.coverage)}</b><span>Coverage</span></div>
<div class="figure"><b>${numbers.applicable}</b><span>Controls that apply</span></div>
<div class="figure"><b>${numbers.nonCompliant}</b><span>Not met</span></div></div>${stateBar(counts)}<ul class="legend" aria-label="Controls by state">${legend}</ul>`;
}

function overview(frameworks: readonly ReportFramework[]): Markup {
  const rows = frameworks.map(
    (
      each,
      index,
    ) => html`<tr role="row"><th role="rowheader" scope="row"><a href="#framework-${index}">${each.name}</a> <span class="soft">${each.edition}</span></th>
<td role="cell" class="number">${percent(each.score)} <span class="soft">score</span></td><td role="cell" class="number">${percent(each.coverage)} <span class="soft">coverage</span></td>
<td role="cell" class="number">${each.nonCompliant} <span class="soft">not met</span></td></tr>`,
  );
  return table("Score and coverage by framework", ["Framework", "Score", "Coverage", "Not met"], rows);
}

function trend(points: Report["overall"]["trend"], what: string): Markup {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2)
    return html`<h3>Over time</h3><p class="soft">There is no earlier day to compare with yet.</p>`;
  const label = `Score and coverage of ${what}: ${percent(first.score)} and ${percent(first.coverage)} on ${day(first.at)}, ${percent(last.score)} and ${percent(last.coverage)} on ${day(last.at)}.`;
  return html`<h3>Over time</h3>${trendChart(points, label)}<p class="soft">Full line: score. Broken line: coverage. ${label}</p>`;
}

function frameworkSection(framework: ReportFramework, index: number): Markup {
  const {
    name,
    edition,
    publisher,
    source,
    sourceUrl,
    checkedOn,
    evidenceFreshness: fresh,
    gaps,
    controls,
  } = framework;
  const exempted = controls.filter(({ state, rules }) => state === "exempted" || rules.exempted + rules.dismissed > 0);
  return html`<section class="framework" aria-labelledby="framework-${index}"><h2 id="framework-${index}">${name}</h2><p class="soft">${publisher}. ${edition}.</p>
${figures(framework)}${trend(framework.trend, name)}
<h3>Freshness of evidence</h3><dl class="facts"><dt>Oldest evidence in use</dt><dd>${optional(fresh.oldest)}</dd><dt>Oldest evaluation in use</dt><dd>${optional(fresh.oldestEvaluation)}</dd>
<dt>Evidence that is too old</dt><dd>${fresh.staleCount}</dd><dt>Next to grow too old</dt><dd>${optional(fresh.nextExpiry)}</dd></dl>
<h3>Gaps</h3>${gapSection(gaps)}
<h3>Exemptions</h3>${exempted.length === 0 ? html`<p>Nothing is exempted.</p>` : exemptionTable(exempted)}
<h3>Controls</h3>${controlTable(controls)}
<p class="soft">${source} ${checkedOn && html`Checked on ${checkedOn}.`} ${sourceUrl && html`<a href="${sourceUrl}" rel="noreferrer">${sourceUrl}</a>`}</p></section>`;
}

/** What was found to fall short as a table; what nobody has looked at is only counted, as it stands among the controls. */
function gapSection(gaps: ReportFramework["gaps"]): Markup {
  const found = gaps.filter(({ state }) => state !== "not_assessed");
  const unknown = gaps.length - found.length;
  const rest = unknown > 0 && html`<p>${counted(unknown, "control")} of which nothing is known: see below.</p>`;
  if (gaps.length === 0) return html`<p>There is no gap.</p>`;
  return html`${found.length > 0 && gapTable(found)}${rest}`;
}

function gapTable(gaps: ReportFramework["gaps"]): Markup {
  const rows = gaps.map(
    (
      gap,
    ) => html`<tr role="row"><th role="rowheader" scope="row"><b>${gap.controlId}</b> ${gap.title}</th><td role="cell">${badge(gap.state)}</td>
<td role="cell">${gap.openFindings > 0 && html`${counted(gap.openFindings, "open finding")}. `}${gap.remediation || because(gap.reasons)}</td></tr>`,
  );
  return table(`${counted(gaps.length, "gap")}, the gravest first`, ["Control", "State", "What to do"], rows);
}

function exemptionTable(controls: readonly ReportControl[]): Markup {
  const rows = controls.map(
    ({
      controlId,
      title,
      state,
      rules,
    }) => html`<tr role="row"><th role="rowheader" scope="row"><b>${controlId}</b> ${title}</th><td role="cell">${badge(state)}</td>
<td role="cell">${counted(rules.exempted, "exempted finding")}, ${rules.dismissed} dismissed</td></tr>`,
  );
  return table("Controls with something that was accepted", ["Control", "State", "What was accepted"], rows);
}

function controlTable(controls: readonly ReportControl[]): Markup {
  const rows = controls.map(
    (
      control,
    ) => html`<tr role="row"><th role="rowheader" scope="row"><b>${control.controlId}</b> ${control.title}</th><td role="cell">${badge(control.state)}</td>
<td role="cell">${because(control.reasons)}${ruleWords(control)}${control.requirements.map(({ type, fresh, wanted }) => html` ${words(type)}: ${fresh} of ${wanted}.`)}${control.appliesFrom && html` Binds from ${control.appliesFrom}.`}${control.reviewOverdue && html` Its review is overdue.`}</td></tr>`,
  );
  return table(counted(controls.length, "control"), ["Control", "State", "What that rests on"], rows);
}

function ruleWords({ rules }: ReportControl): Markup | false {
  if (rules.mapped === 0) return false;
  const unknown = rules.error > 0 && `, ${rules.error} without a result`;
  return html` Rules: ${rules.pass} pass, ${rules.fail} fail${unknown}; ${counted(rules.open, "open finding")}.`;
}

function table(caption: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  const head = heads.map((name) => html`<th role="columnheader" scope="col">${name}</th>`);
  return html`<table class="stacked" role="table"><caption>${caption}</caption><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${rows}</tbody></table>`;
}

const badge = (state: ControlState) => html`<span class="state ${state}">${STATE_NAMES[state]}</span>`;
const because = (reasons: readonly Reason[]) => reasons.map((reason) => REASONS[reason]).join(" ");
const percent = (value: number | null) => (value === null ? "–" : `${value} %`);
const day = (at: string) => at.slice(0, 10);
const moment = (at: string) => `${at.slice(0, 10)}, ${at.slice(11, 16)} UTC`;
const optional = (at: string | null) => (at === null ? "–" : day(at));
const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
const words = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
