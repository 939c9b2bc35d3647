import { type OpenChange, SEVERITIES, type Severity } from "#families/findings/index.js";
import { Time } from "#kernel/records/record.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";

const of = (severity: Severity) =>
  z
    .int()
    .min(0)
    .meta({ description: `Of severity ${severity}.` });

const OpenFindings = z.object({
  critical: of("critical"),
  high: of("high"),
  medium: of("medium"),
  low: of("low"),
  info: of("info"),
  asOf: Time.meta({ description: "When they were last counted." }),
});

/** How an asset stands, kept in the transactions that change it. */
export const PostureFields = z.object({
  openFindings: OpenFindings.nullable().meta({ description: "Open findings by severity; `null`: never evaluated." }),
  postureScore: z.number().min(0).max(100).nullable().meta({
    description: "Rules that it passes, in percent of those asked of it; `null`: not evaluated by all policies.",
  }),
  postureScoredAt: Time.nullable().meta({
    description: "The evaluation that `postureScore` is of, or one a day before.",
  }),
});
export type Posture = z.output<typeof PostureFields>;

export const POSTURE_NAMES = Object.keys(PostureFields.shape) as (keyof Posture)[];

/** The posture of an asset that was never evaluated, or is retired. */
export const NO_POSTURE: Posture = { openFindings: null, postureScore: null, postureScoredAt: null };

/** The result of an evaluation by all policies. `score` is `null` when no rule was asked. */
export interface Scored {
  readonly score: number | null;
}

/** The posture after findings have changed or an evaluation has ended. The same score is stored anew once a day. */
export function postureAfter(
  { openFindings, postureScore, postureScoredAt }: Posture,
  change: OpenChange,
  scored: Scored | undefined,
  now: string,
): Posture {
  const isNews = scored !== undefined && (scored.score !== postureScore || isScoredAnew({ postureScoredAt }, now));
  const score = isNews ? { postureScore: scored.score, postureScoredAt: now } : { postureScore, postureScoredAt };
  const counts = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, (openFindings?.[severity] ?? 0) + (change[severity] ?? 0)]),
  ) as Record<Severity, number>;
  // Zero is said only of what all policies have looked at.
  const known = score.postureScoredAt !== null || SEVERITIES.some((severity) => counts[severity] > 0);
  const same = openFindings !== null && SEVERITIES.every((severity) => counts[severity] === openFindings[severity]);
  return { openFindings: known ? (same ? openFindings : { ...counts, asOf: now }) : null, ...score };
}

/** Whether an evaluation stores even the same score. */
export function isScoredAnew({ postureScoredAt: at }: Pick<Posture, "postureScoredAt">, now: string): boolean {
  return at === null || Date.parse(now) - Date.parse(at) >= daysMs(1);
}

export function postureOf({ openFindings, postureScore, postureScoredAt }: Posture): Posture {
  return { openFindings, postureScore, postureScoredAt };
}
