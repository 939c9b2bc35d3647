import type { ControlState } from "../../posture/compute/control.js";
import { html, type Markup } from "./markup.js";

/** The states in drawing order, with their names and meanings. */
const REPORTED: Readonly<Record<ControlState, readonly [name: string, meaning: string]>> = {
  compliant: ["Compliant", "All that judges it says that it is met."],
  partial: ["Partly met", "It is met in part, or a part of what it rests on is missing."],
  exempted: ["Exempted", "It is not met, and somebody has accepted that. It is worth what it would be without that."],
  non_compliant: ["Not met", "It was assessed, and is not met."],
  not_assessed: ["Not assessed", "Nothing is known of it. That is never a pass."],
  not_applicable: ["Not applicable", "It is about nothing in this organisation. It counts for nothing."],
  upcoming: ["Upcoming", "It does not bind yet. It counts for nothing."],
};
export const STATES = Object.keys(REPORTED) as ControlState[];
export const stateName = (state: ControlState): string => REPORTED[state][0];
export const stateMeaning = (state: ControlState): string => REPORTED[state][1];

/** Patterns that distinguish states without colour. States without one are plain. */
const MARKS: Partial<Readonly<Record<ControlState, string>>> = {
  partial: "M-2 2L2 -2M0 8L8 0M6 10L10 6",
  exempted: "M2 4h4",
  non_compliant: "M0 0L8 8M0 8L8 0",
  not_applicable: "M4 0V8",
  upcoming: "M0 4H8",
};

/** The patterns that `stateBar` and `swatch` use. Include it once per page. */
export function patterns(): Markup {
  const each = Object.entries(MARKS).map(
    ([state, path]) =>
      html`<pattern id="mark-${state}" width="8" height="8" patternUnits="userSpaceOnUse"><path class="mark ${state}" d="${path}"/></pattern>`,
  );
  return html`<svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>${each}</defs></svg>`;
}

/** A segment of a bar. Its position is in percent, so that patterns keep their shape at any width. */
function piece(state: ControlState, from: number, width: number): Markup {
  const place = html`x="${round(from, 3)}%" y="0" width="${round(width, 3)}%" height="100%"`;
  const marked = MARKS[state] && html`<rect fill="url(#mark-${state})" ${place}/>`;
  return html`<rect class="fill ${state}" ${place}/>${marked}`;
}

/**
 * The counts of controls by state, as one bar. It is hidden from screen readers, because the legend has the same data.
 */
export function stateBar(numbers: Readonly<Record<ControlState, number>>): Markup {
  const total = STATES.reduce((sum, state) => sum + numbers[state], 0);
  let at = 0;
  const parts = STATES.filter((state) => numbers[state] > 0).map((state) => {
    const width = (100 * numbers[state]) / total;
    at += width;
    return piece(state, at - width, width);
  });
  return html`<svg class="bar" aria-hidden="true" focusable="false">${parts}</svg>`;
}

export const swatch = (state: ControlState): Markup =>
  html`<svg class="swatch" aria-hidden="true" focusable="false">${piece(state, 0, 100)}</svg>`;

export interface Point {
  readonly at: string;
  readonly score: number | null;
  readonly coverage: number;
}
type Line = "score" | "coverage";

/** A sample of a trend line, for the legend. */
export const lineSample = (name: Line): Markup =>
  html`<svg class="sample" aria-hidden="true" focusable="false"><line class="line ${name}" x1="0" x2="100%" y1="50%" y2="50%"/></svg>`;

const CHART = { left: 30, right: 350, top: 10, bottom: 120, width: 360, height: 140 } as const;

/**
 * Score and coverage over days. The line has a gap where there is no score. `reported` is the id of the text with the same
 * data.
 */
export function trendChart(points: readonly Point[], id: string, title: string, reported: string): Markup {
  const times = points.map(({ at }) => Date.parse(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const x = (index: number) =>
    last === first
      ? CHART.right
      : CHART.left + ((CHART.right - CHART.left) * ((times[index] as number) - first)) / (last - first);
  const y = (value: number) => CHART.bottom - ((CHART.bottom - CHART.top) * value) / 100;
  const drawn = (name: Line) => {
    const runs = runsOf(points.map((point, index) => (point[name] === null ? null : [x(index), y(point[name])])));
    return runs.map((run) =>
      run.length === 1
        ? html`<circle class="dot ${name}" cx="${round(run[0]?.[0] ?? 0)}" cy="${round(run[0]?.[1] ?? 0)}" r="3"/>`
        : html`<polyline class="line ${name}" points="${run.map(([cx, cy]) => `${round(cx)},${round(cy)}`).join(" ")}"/>`,
    );
  };
  const grid = [0, 50, 100].map(
    (value) =>
      html`<line class="grid" x1="${CHART.left}" x2="${CHART.right}" y1="${y(value)}" y2="${y(value)}"/><text class="axis" x="${CHART.left - 5}" y="${y(value) + 3}" text-anchor="end">${value}</text>`,
  );
  const days = [points[0], ...(last === first ? [] : [points.at(-1)])].map((point, index) => {
    const end = index === 1 || last === first;
    return html`<text class="axis" x="${end ? CHART.right : CHART.left}" y="${CHART.height - 4}" text-anchor="${end ? "end" : "start"}">${point?.at.slice(0, 10)}</text>`;
  });
  return html`<svg class="trend" viewBox="0 0 ${CHART.width} ${CHART.height}" role="img" aria-labelledby="${id}" aria-describedby="${reported}"><title id="${id}">${title}</title>${grid}${days}${drawn("coverage")}${drawn("score")}</svg>`;
}

type Place = readonly [number, number];

/** The sections of a line between gaps. */
function runsOf(places: readonly (Place | null)[]): Place[][] {
  const runs: Place[][] = [];
  let open: Place[] | undefined;
  for (const place of places) {
    if (place === null) {
      open = undefined;
      continue;
    }
    if (!open) {
      open = [];
      runs.push(open);
    }
    open.push(place);
  }
  return runs;
}

const round = (value: number, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits;
