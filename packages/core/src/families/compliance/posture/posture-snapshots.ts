import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import type { DueState } from "#kernel/operation/dues.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { dayOf, timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { computePosture, type Posture } from "./compute/compute.js";
import { digestOf } from "./compute/inputs.js";
import { isAssessed, readInputs } from "./compute/read-inputs.js";
import { Grade, type TrendPoint } from "./schema.js";

/** The most days of a trend. */
export const TREND_DAYS = 400;

const PostureSnapshot = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  inputsDigest: z.string(),
  overall: Grade,
  frameworks: z.record(z.string(), Grade),
});
type PostureSnapshot = z.output<typeof PostureSnapshot>;

/** The posture of a tenant, once per day. The id is the day. */
export const postureSnapshots = defineCollection<PostureSnapshot>({
  name: "posture_snapshots",
  prefix: null,
  schema: PostureSnapshot,
  secrets: [],
});

/** The last day that this process checked, by tenant, so that a tenant costs one check per day. */
const lookedAt = defineService("compliance.snapshots", () => boundedCache<string, string>(10_000));

/** Every tenant is looked at once per day. */
export const postureDue: DueState = {
  next: async (_env, _reader, now) => timestamp(Date.parse(dayOf(now)) + daysMs(1)),
};

/** Stores the posture of the day once there is one. Returns how many it wrote. */
export async function keepPosture(env: Environment, tenantId: string, now: string): Promise<number> {
  const day = dayOf(now);
  const seen = env.use(lookedAt);
  if (seen.get(tenantId) === day) return 0;
  const reading = systemContext(env, tenantId, "tick", Date.parse(now));
  const known = await reading.db.get(postureSnapshots, day);
  const isWanted = !known && (await isAssessed(reading));
  const posture = isWanted ? computePosture(await readInputs(reading, { at: now }), now) : undefined;
  let written = 0;
  if (posture && posture.overall.score !== null) {
    written = await reading.write((ctx) => store(ctx, day, posture));
  }
  seen.set(tenantId, day);
  return written;
}

const gradeOf = ({ score, coverage }: z.output<typeof Grade>) => ({ score, coverage });

async function store(ctx: Context, day: string, posture: Posture): Promise<number> {
  // Another process may have stored it first.
  if (await ctx.db.get(postureSnapshots, day)) return 0;
  await ctx.insert(postureSnapshots, {
    id: day,
    createdAt: posture.asOf,
    inputsDigest: digestOf(posture.inputs),
    overall: gradeOf(posture.overall),
    frameworks: Object.fromEntries(posture.frameworks.map((each) => [each.framework.key, gradeOf(each)])),
  });
  return 1;
}

/** The last stored posture. `undefined` when there is none. */
export async function latestPosture(ctx: ReadContext): Promise<PostureSnapshot | undefined> {
  const { rows } = await ctx.db.find(postureSnapshots, { size: 1 });
  return rows[0]?.value;
}

/** The points of a trend, one per day and one for now, oldest first. */
export interface Trend {
  readonly overall: readonly TrendPoint[];
  of(framework: string): readonly TrendPoint[];
}

/** The trend of a tenant's posture over the last days, up to the given posture. No days give its point alone. */
export async function trendTo(ctx: ReadContext, posture: Posture, days: number): Promise<Trend> {
  const rows = days === 0 ? [] : (await ctx.db.find(postureSnapshots, { size: days })).rows;
  const past = rows.map((row) => row.value).reverse();
  const here = (grade: z.output<typeof Grade> | undefined): TrendPoint[] =>
    grade ? [{ at: posture.asOf, ...gradeOf(grade) }] : [];
  return {
    overall: [...past.map(({ createdAt, overall }) => ({ at: createdAt, ...overall })), ...here(posture.overall)],
    of: (key) => [
      ...past.flatMap(({ createdAt, frameworks }) => {
        const grade = frameworks[key];
        return grade ? [{ at: createdAt, ...grade }] : [];
      }),
      ...here(posture.frameworks.find(({ framework }) => framework.key === key)),
    ],
  };
}
