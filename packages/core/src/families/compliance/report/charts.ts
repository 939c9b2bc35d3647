import type { ControlState } from "../posture/control.js";
import { html, type Markup } from "./markup.js";

/** States in the order in which they are drawn, with their names. */
export const STATE_NAMES: Readonly<Record<ControlState, string>> = {
  compliant: "Compliant",
  partial: "Partly met",
  exempted: "Exempted",
  non_compliant: "Not met",
  not_assessed: "Not assessed",
  not_applicable: "Not applicable",
  upcoming: "Upcoming",
};
export const STATES = Object.keys(STATE_NAMES) as ControlState[];

const BAR = { width: 1_000, height: 24 } as const;

/** How many controls are in which state, as one bar. It is told in words beside it, so it hides from readers of screens. */
export function stateBar(numbers: Readonly<Record<ControlState, number>>): Markup {
  const total = STATES.reduce((sum, state) => sum + numbers[state], 0);
  let at = 0;
  const parts = STATES.filter((state) => numbers[state] > 0).map((state) => {
    const width = (BAR.width * numbers[state]) / total;
    const part = html`<rect class="fill ${state}" x="${round(at)}" y="0" width="${round(width)}" height="${BAR.height}"/>`;
    at += width;
    return part;
  });
  return html`<svg class="bar" viewBox="0 0 ${BAR.width} ${BAR.height}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}

export interface Point {
  readonly at: string;
  readonly score: number | null;
  readonly coverage: number;
}

const CHART = { left: 30, right: 350, top: 10, bottom: 120, width: 360, height: 140 } as const;

/** Score and coverage over days. Where there is no score the line has a gap. */
export function trendChart(points: readonly Point[], label: string): Markup {
  const times = points.map(({ at }) => Date.parse(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const x = (index: number) =>
    last === first
      ? CHART.right
      : CHART.left + ((CHART.right - CHART.left) * ((times[index] as number) - first)) / (last - first);
  const y = (value: number) => CHART.bottom - ((CHART.bottom - CHART.top) * value) / 100;
  const drawn = (name: "score" | "coverage") => {
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
  return html`<svg class="trend" viewBox="0 0 ${CHART.width} ${CHART.height}" role="img" aria-label="${label}">${grid}${days}${drawn("coverage")}${drawn("score")}</svg>`;
}

type Place = readonly [number, number];

/** The stretches without a gap. */
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

const round = (value: number) => Math.round(value * 10) / 10;
