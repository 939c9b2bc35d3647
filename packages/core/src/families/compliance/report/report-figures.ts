import type { ControlState } from "../posture/compute/control.js";
import { lineSample, STATES, stateBar, stateName, swatch, trendChart } from "./render/charts.js";
import { html, type Markup } from "./render/markup.js";
import { counted, day, percent } from "./render/words.js";
import type { Report, ReportControl } from "./schema.js";

type Numbers = Omit<Report["overall"], "trend">;

const byState = (numbers: Numbers): Record<ControlState, number> => ({
  compliant: numbers.compliant,
  partial: numbers.partial,
  exempted: numbers.exempted,
  non_compliant: numbers.nonCompliant,
  not_assessed: numbers.notAssessed,
  not_applicable: numbers.notApplicable,
  upcoming: numbers.upcoming,
});

/** Each number with its calculation, and the counts of controls by state. */
export function figures(numbers: Numbers, controls: readonly ReportControl[]): Markup {
  const counts = byState(numbers);
  const assessed = controls.filter(({ worth }) => worth !== null);
  const weight = assessed.reduce((sum, control) => sum + control.weight, 0);
  const earned = assessed.reduce((sum, control) => sum + ((control.worth ?? 0) * control.weight) / 2, 0);
  const legend = STATES.filter((state) => counts[state] > 0).map(
    (state) => html`<li>${swatch(state)} ${stateName(state)} <b>${counts[state]}</b></li>`,
  );
  return html`<div class="figures">${[
    figure(percent(numbers.score), "Score", weight > 0 ? `${earned} of ${weight} by weight` : "Nothing was assessed."),
    figure(percent(numbers.coverage), "Coverage", `${assessed.length} of ${numbers.applicable} assessed`),
    figure(numbers.applicable, "Controls that apply", `of ${controls.length} in all`),
    figure(numbers.nonCompliant, "Not met", `and ${numbers.partial} partly met`),
  ]}</div>${stateBar(counts)}<ul class="legend" aria-label="${counted(controls.length, "control")} by state">${legend}</ul>`;
}

const figure = (value: string | number, name: string, made: string): Markup =>
  html`<div class="figure"><b>${value}</b><span class="name">${name}</span><span class="made">${made}</span></div>`;

/** The trend of score and coverage. `key` makes the ids of the chart unique. */
export function trend(points: Report["overall"]["trend"], what: string, key: string): Markup {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2)
    return html`<h3>Over time</h3><p class="soft">There is no earlier day to compare with yet.</p>`;
  const line = (name: "score" | "coverage", label: string) =>
    html`<li>${lineSample(name)} ${label}: ${percent(first[name])} on ${day(first.at)}, ${percent(last[name])} on ${day(last.at)}</li>`;
  const [title, reported] = [`trend-${key}`, `trend-${key}-told`];
  return html`<h3>Over time</h3>${trendChart(points, title, `Score and coverage of ${what} over time, in percent`, reported)}
<ul class="legend lines" id="${reported}">${line("score", "Score")}${line("coverage", "Coverage")}</ul>`;
}
