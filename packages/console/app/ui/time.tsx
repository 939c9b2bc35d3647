import { t } from "../texts/index.js";

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** How far a moment is from now, as `3 days ago` or `in 2 hours`. */
function distance(at: number): string {
  const from = at - Date.now();
  const [unit, step] = STEPS.find(([, size]) => Math.abs(from) >= size) ?? ["minute", 60_000];
  return relative.format(Math.trunc(from / step), unit);
}

interface TimeProps {
  /** RFC 3339; `null` shows `absent`. */
  readonly at: string | null | undefined;
  readonly absent?: string;
  /** Shows how far it is from now in place of the date. */
  readonly age?: boolean;
}

/** A moment in the reader's zone; the zone and UTC are in its title. */
export function Time({ at, absent = t.time.unknown, age = false }: TimeProps) {
  if (!at) return <span className="muted">{absent}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={`${zoned.format(moment)} (${t.time.utc(at.slice(0, 19).replace("T", " "))})`}>
      {age ? distance(moment.getTime()) : local.format(moment)}
    </time>
  );
}
