import { useSearch } from "@tanstack/react-router";
import { choice, pageOf, textOf } from "../../api/search.js";

export const OUTCOMES = ["success", "denied", "failure"] as const;
export const SEVERITIES = ["INFO", "WARN", "ERROR"] as const;

/** Whether an export holds the events of its subject alone. */
const ALONE = ["yes"] as const;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const dateOf = (given: unknown) => (typeof given === "string" && DATE.test(given) ? given : undefined);

/** The filters of the stream, which stand in its address. */
export const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  subject: textOf(search.subject),
  actor: textOf(search.actor),
  words: textOf(search.words),
  outcome: choice(search.outcome, OUTCOMES),
  severity: choice(search.severity, SEVERITIES),
  from: dateOf(search.from),
  to: dateOf(search.to),
  alone: choice(search.alone, ALONE),
});

export type ActivitySearch = ReturnType<typeof searchOf>;

export const useActivitySearch = (): ActivitySearch => useSearch({ strict: false });

/** When a day of the reader's zone begins, as the API takes it. */
export const momentOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();
