import { canonical } from "#kernel/events/canonical.js";
import type { Context } from "#kernel/operation/context.js";
import { daysMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import type { Finding } from "../fields.js";
import type { Severity } from "../finding-terms.js";
import { findings } from "../schema.js";
import { changeFinding, openFindings } from "../write-review.js";
import { type Detected, fingerprintOf, opened, seenAbsent, seenAgain } from "./detection.js";
import { slaDaysOf } from "./sla.js";

/** The key of findings about access, which no policy can have. */
export const ACCESS_KEY = "reeve/access";

/** What an observation is about, which never changes. */
export interface ObservedAt {
  readonly ruleKey: string;
  readonly assetId: string;
  /** What of the asset it is about. */
  readonly locus: string;
}

/** What Reeve finds by itself about the access of an asset. */
export interface Observation extends ObservedAt {
  readonly assetName: string;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  readonly remediation: string;
  /** What it rests on, without secrets. */
  readonly values: Readonly<Record<string, unknown>>;
}

async function standing(ctx: Context, at: ObservedAt): Promise<Finding | undefined> {
  const fingerprint = fingerprintOf({ policyKey: ACCESS_KEY, ...at });
  return (await ctx.db.lookup(findings, "fingerprint", { fingerprint }))?.value;
}

/** Opens a finding about access, in the transaction that finds it. One that stands is seen again, and one that was over reopens. */
export async function observe(ctx: Context, observation: Observation): Promise<Finding> {
  const digest = sha256(canonical(observation.values));
  const detected: Detected = {
    ...observation,
    ...{ source: "access", policyId: null, policyKey: ACCESS_KEY, policyRevision: null, category: "access" },
    ...{ gate: false, controls: [], production: false, highRisk: false },
    evidence: { snapshotDigest: digest, digest, values: observation.values },
  };
  const circumstances = { now: ctx.now, slaDays: await slaDaysOf(ctx), exemptions: [] };
  const before = await standing(ctx, observation);
  if (before) {
    const { next, verb } = seenAgain(before, detected, circumstances);
    const isNews = verb !== "touched" || Date.parse(ctx.now) - Date.parse(before.lastSeenAt) >= daysMs(1);
    return isNews ? changeFinding(ctx, before, next, { triggeredBy: "system" }) : before;
  }
  const finding = opened(ctx.stamp(findings), detected, circumstances);
  await openFindings(ctx, [finding]);
  return finding;
}

/** Ends a finding about access whose cause is over. Nothing happens when there is none. */
export async function observeEnd(ctx: Context, at: ObservedAt): Promise<void> {
  const before = await standing(ctx, at);
  if (!before || before.resolvedAt !== null) return;
  await changeFinding(ctx, before, seenAbsent(before, ctx), { triggeredBy: "system" });
}
