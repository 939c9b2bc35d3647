import type { components } from "../../../api/client.js";
import { use } from "../../../texts/en/use-of-agents.js";

export type Usage = components["schemas"]["AiUsage"];
export type Group = Usage["items"][number];
export type Sums = Pick<Usage["totals"], keyof Usage["totals"]>;
export type GroupBy = Usage["groupBy"];
export type Figure = keyof typeof use.byDay.figures;

export const GROUPS = Object.keys(use.groups) as readonly GroupBy[];
export const FIGURES = Object.keys(use.byDay.figures) as readonly Figure[];
/** How many days are summed up. */
export const SPANS = [7, 30, 90] as const;
export type Span = (typeof SPANS)[number];

const DAY = 86_400_000;

/** The first day of a span that ends today, in UTC. */
export const firstDay = (days: number): string => new Date(Date.now() - (days - 1) * DAY).toISOString().slice(0, 10);

/** Every day from one to another, both of them. */
export function daysBetween(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.round((last - first) / DAY) + 1);
  return Array.from({ length: count }, (_, at) => new Date(first + at * DAY).toISOString().slice(0, 10));
}
