import type { Asset } from "#families/estate/index.js";
import {
  blockingFindings,
  type Detected,
  type Finding,
  findings,
  fingerprintOf,
  isOpen,
  slaDaysOf,
  statusOnDetection,
} from "#families/findings/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import { everyRow } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { exemptionsOver } from "../exemptions/request/selected.js";
import type { PostureResult } from "../policies/evaluate-policy.js";
import { Budget } from "../policies/evaluation-budget.js";
import { type Policy, policies } from "../policies/schema.js";
import { type Snapshot, snapshotsOfAssets } from "../snapshots/take/snapshots.js";
import { halfOf, type Judge, judge, judgesService, preparedOf } from "./judge/judge.js";
import { detectedIn } from "./judge/pair.js";

/** What the gates say of one asset. */
interface GatesJudged {
  /** Why results are missing, policy by policy. */
  readonly unknown: readonly string[];
  readonly failed: readonly Detected[];
}

/** The gates of a tenant at a promotion: every active gating policy, evaluated on the asset as it will be. */
export const policyGates = {
  async blockers(ctx: ReadContext, promoted: { readonly id: string }): Promise<readonly string[]> {
    const asset = promoted as Asset;
    const gating = await gatingPolicies(ctx);
    const snapshots = await snapshotsOfAssets(ctx, gating.length === 0 ? [] : [asset]);
    const { unknown, failed } = await judgeGates(
      await ctx.env.use(judgesService).of(gating),
      asset,
      snapshots.get(asset.id),
      ctx.now,
    );
    const standing = await stillOpen(ctx, failed, snapshots);
    const reported = standing.map(
      ({ policyKey, ruleKey, message }) => `${placeOf(policyKey, ruleKey)} fails: ${message}`,
    );
    return [...unknown, ...reported, ...(await notJudged(ctx, asset.id, gating))];
  },
};

async function judgeGates(
  judges: readonly Judge[],
  asset: Asset,
  snapshot: Snapshot | undefined,
  now: string,
): Promise<GatesJudged> {
  const unknown: string[] = [];
  const failed: Detected[] = [];
  if (!snapshot) return { unknown, failed };
  const [prepared, half] = [preparedOf(snapshot, now), halfOf(snapshot.digest)];
  const budget = Budget.maker()();
  for (const each of judges) {
    if (budget.isDue) await budget.pass();
    const verdict = judge(each, half, prepared, undefined, true, budget);
    if (verdict.kind !== "judged") continue;
    unknown.push(...withoutResult(each.policy, verdict.results));
    failed.push(...detectedIn(each, asset, snapshot, verdict.results, false).values());
  }
  return { unknown, failed };
}

/** Rules that ended in an error, and a policy that has no rules to give a result. */
function withoutResult({ key, rules }: Policy, results: readonly PostureResult[]): string[] {
  if (rules.length === 0) return [`Policy "${key}" has no rules, so it gives no result.`];
  return results.flatMap(({ ruleKey, outcome, message }) =>
    outcome === "error" ? [`${placeOf(key, ruleKey)} gives no result: ${message}`] : [],
  );
}

/** The failures that no exemption or dismissal in force takes in. */
async function stillOpen(
  ctx: ReadContext,
  failed: readonly Detected[],
  snapshots: ReadonlyMap<string, Snapshot>,
): Promise<Detected[]> {
  if (failed.length === 0) return [];
  const prints = failed.map((detected) => ({ fingerprint: fingerprintOf(detected) }));
  const stored = await inChunks(prints, (some) => ctx.db.lookupMany<Finding>(findings, "fingerprint", some));
  const exemptions = await exemptionsOver(ctx, snapshots);
  const circumstances = { now: ctx.now, slaDays: await slaDaysOf(ctx), exemptions };
  return failed.filter((detected, place) => isOpen(statusOnDetection(stored[place]?.value, detected, circumstances)));
}

/** Stored findings of gates that were not evaluated here, because their policy gates no more or is gone. */
async function notJudged(ctx: ReadContext, assetId: string, gating: readonly Policy[]): Promise<string[]> {
  const judged = new Set(gating.map(({ id }) => id));
  const left = (await blockingFindings(ctx.db, assetId, ctx.now)).filter(
    ({ policyId }) => policyId === null || !judged.has(policyId),
  );
  return left.map(({ id, policyKey, ruleKey }) => `${placeOf(policyKey, ruleKey)} has an open finding (${id}).`);
}

const placeOf = (policyKey: string, ruleKey: string) => `Policy "${policyKey}", rule "${ruleKey}"`;

async function gatingPolicies(ctx: ReadContext): Promise<Policy[]> {
  return (await everyRow(ctx.db, policies, { where: { gating: true } })).map(({ value }) => value);
}
