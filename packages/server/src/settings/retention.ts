import { LEAST_RETENTION_DAYS, RETENTION_DAYS, type RetentionKind } from "@reeve/core/reference";

/** The options of the control plane that say how long things are kept. */
export interface RetentionSetting {
  readonly retentionDays?: Readonly<Partial<Record<RetentionKind, number | null>>>;
  readonly activityRetentionDays?: number;
}

const EVENTS = "events";
const KINDS = Object.keys(RETENTION_DAYS);
const MOST = 36_500;

const least = Object.entries(LEAST_RETENTION_DAYS).map(([kind, days]) => `${kind} for ${days} days at least`);
export const RETENTION_TAKES = `a list, by commas, of <kind>=<days> or <kind>=none, with ${[EVENTS, ...KINDS, ...least].join(", ")}`;

/** Reads `events=400,closedTenants=30,imports=none`. */
export function retentionOf(text: string): RetentionSetting | undefined {
  const days = new Map<string, number | null>();
  for (const entry of text.split(",")) {
    const [, kind = "", value = ""] = /^\s*(\w+)=(\d{1,5}|none)\s*$/.exec(entry) ?? [];
    if (days.has(kind) || ![EVENTS, ...KINDS].includes(kind)) return undefined;
    if (value !== "none" && (Number(value) < (LEAST_RETENTION_DAYS[kind] ?? 1) || Number(value) > MOST))
      return undefined;
    days.set(kind, value === "none" ? null : Number(value));
  }
  const events = days.get(EVENTS);
  days.delete(EVENTS);
  return {
    ...(days.size > 0 ? { retentionDays: Object.fromEntries(days) } : {}),
    ...(typeof events === "number" ? { activityRetentionDays: events } : {}),
  };
}
