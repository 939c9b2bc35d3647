import { LIMITS } from "#cel/limits.js";
import { engagedSwitchesOf, noteUse } from "#families/estate/index.js";
import { boundedSettings, settings, tenantOf } from "#families/platform/index.js";
import { changeEpoch } from "#families/sessions/index.js";
import { allOf } from "#kernel/async/maybe-promise.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Budget } from "../../policies/evaluation-budget.js";
import { ApprovalStore } from "../approvals/approval-store.js";
import type { JudgedAsk } from "../approvals/judged-ask.js";
import { type Digests, digestsOf } from "../ask/digests.js";
import { factsOf } from "../ask/facts.js";
import { type Ask, type DecisionRequest, endsBatch } from "../ask/request.js";
import { type Judgement, judge } from "../judge/judge.js";
import type { PolicySet } from "../judge/policy-set.js";
import { runtimePolicies } from "../judge/runtime-policies.js";
import type { Decision, DecisionReason, Evaluation } from "../schema.js";
import { logDecision } from "./log-event.js";

/** How a decision is made. */
export interface DecisionOptions {
  /** `any`: an approval of the very action is used although the request does not name it. */
  readonly approvals?: "named" | "any";
  /** What is watched is recorded, and asks for no approval. */
  readonly watch?: DecisionWatch;
}

/** A time in which whoever asks lets calls pass although they are denied. */
export interface DecisionWatch {
  readonly id: string;
  /** Whether the call is let pass though these reasons speak against it. */
  letsPass(reasons: readonly DecisionReason[]): boolean;
  /** Is told of each call that is let pass, in the transaction of the decision. */
  note(
    ctx: Context,
    passed: Pick<Evaluation, "status"> & { readonly reasons: readonly DecisionReason[] },
  ): Promise<void>;
}

/** A request judged by what was read without a transaction. */
export interface Prepared extends DecisionOptions {
  readonly request: DecisionRequest;
  readonly judged: readonly Judgement[];
  readonly digests: readonly Digests[];
  /** Paths of the values of requests that events may hold. */
  readonly loggedFields: readonly string[];
  /** The kill switches that were engaged then. */
  readonly switches: ReadonlySet<string>;
  /** What `changeEpoch` was before the reading. */
  readonly epoch: number;
}

/** Judges a request by the assets and sessions it names and by the cached policies. */
export async function prepareDecision(ctx: ReadContext, request: DecisionRequest): Promise<Prepared> {
  const epoch = await changeEpoch(ctx);
  const known = allOf([ctx.env.use(runtimePolicies).of(ctx.db.tenantId), engagedSwitchesOf(ctx), boundedSettings(ctx)]);
  const [policies, switches, { loggedFields }] = known instanceof Promise ? await known : known;
  const judged = await judgeAll(ctx, request.asks, policies);
  return { request, epoch, switches, judged, loggedFields, digests: request.asks.map(digestsOf) };
}

/** What decisions would be now, without recording or asking for anything. */
export async function judgeAsks(ctx: ReadContext, asks: readonly Ask[]): Promise<readonly Judgement[]> {
  return judgeAll(ctx, asks, await ctx.env.use(runtimePolicies).of(ctx.db.tenantId));
}

async function judgeAll(ctx: ReadContext, asks: readonly Ask[], policies: PolicySet): Promise<readonly Judgement[]> {
  const inForce = ctx.env.use(settings);
  const known = allOf([tenantOf(ctx), boundedSettings(ctx)]);
  const [{ id, name, settings: ofTenant }, { decisionDefault }] = known instanceof Promise ? await known : known;
  const circumstances = {
    now: ctx.now,
    undeclaredTools: ofTenant.undeclaredTools,
    tenant: { id, name },
    nowMs: ctx.request.nowMs,
    byDefault: decisionDefault,
    reuseMs: inForce.get("decisions.reuseMs"),
  };
  const facts = await factsOf(ctx, asks, policies.readsSpecs);
  const nextBudget = Budget.maker(LIMITS.batchSteps);
  const judged: Judgement[] = [];
  for (const ask of asks) judged.push(await judge(ask, facts, policies, circumstances, nextBudget()));
  return judged;
}

/** Logs the decision and returns it, in one transaction. A decision that cannot be logged is not given. */
export async function recordDecision(ctx: Context, prepared: Prepared): Promise<Decision> {
  const { request, judged, digests, switches, epoch, loggedFields } = prepared;
  const { asks, batch, semantic } = request;
  const wantsApproval = judged.some(({ status }) => status === "require_approval");
  const names = asks.some(({ context }) => context.approvalId !== undefined);
  // What was decided meanwhile about assets and sessions, and by switches, counts.
  const moved = (await epochWithin(ctx)) !== epoch || !isSame(switches, await engagedSwitchesOf(ctx));
  // Approvals are used and requested, and kill switches obeyed, after a second judgement within the transaction.
  const current =
    wantsApproval || names || moved
      ? await judgeAll(ctx, asks, await ctx.env.use(runtimePolicies).within(ctx.db))
      : judged;
  const judgedAsks = asks.map((ask, index) => {
    return { ask, judgement: current[index] as Judgement, digests: digests[index] as Digests };
  });
  const approvals = await ApprovalStore.for(
    ctx,
    judgedAsks.filter(({ judgement }) => judgement.status === "require_approval"),
    prepared.approvals,
  );
  const batchId = batch ? ctx.newId("dec") : null;
  const evaluations: Evaluation[] = [];
  for (const one of judgedAsks) {
    const evaluation = await recordOne(ctx, one, { approvals, batchId, loggedFields, watch: prepared.watch });
    evaluations.push(evaluation);
    if (endsBatch(semantic, evaluation.decision)) break;
  }
  const [first] = evaluations as [Evaluation, ...Evaluation[]];
  if (batchId === null) return first;
  const status = summed(evaluations, semantic === "permit_on_first_permit");
  return { id: batchId, status, decision: status === "allow", evaluations };
}

function isSame(before: ReadonlySet<string>, now: ReadonlySet<string>): boolean {
  return before.size === now.size && [...before].every((key) => now.has(key));
}

/** Epochs by transaction, which many decisions may share. None of them changes it. */
const epochs = new WeakMap<object, Promise<number>>();

function epochWithin(ctx: Context): Promise<number> {
  const known = epochs.get(ctx.db) ?? changeEpoch(ctx);
  epochs.set(ctx.db, known);
  return known;
}

interface Recording {
  readonly approvals: ApprovalStore;
  readonly batchId: string | null;
  readonly loggedFields: readonly string[];
  readonly watch: DecisionWatch | undefined;
}

async function recordOne(ctx: Context, judged: JudgedAsk, recording: Recording): Promise<Evaluation> {
  const { ask, judgement, digests } = judged;
  const { approvals, batchId, loggedFields } = recording;
  const id = ctx.newId("dec");
  const watch = recording.watch?.letsPass(judgement.reasons) ? recording.watch : undefined;
  const asked = judgement.status === "require_approval" ? await approvals.ask(judged, id, !watch) : undefined;
  const status = asked?.granted ? "allow" : judgement.status;
  const watchId = watch && status !== "allow" ? watch.id : null;
  if (watchId !== null) await watch?.note(ctx, { status, reasons: judgement.reasons });
  const approval = asked && {
    id: asked.approval.id,
    status: asked.approval.status,
    expiresAt: asked.approval.expiresAt,
  };
  const evaluation: Evaluation = {
    id,
    status,
    decision: status === "allow",
    context: {
      reasons: [...judgement.reasons],
      obligations: [...(asked?.granted ? judgement.obligationsOnceAllowed : judgement.obligations)],
      observed: [...judgement.observed],
      sessionEpoch: judgement.sessionEpoch,
      ttlMs: judgement.ttlMs,
      actionDigest: digests.action,
      evaluatedAt: ctx.now,
      approval: approval ?? null,
    },
  };
  // Whoever asks in vain puts nothing to use.
  if (status !== "deny") await noteUse(ctx, judgement.parties.all);
  await logDecision(ctx, {
    ask,
    evaluation,
    parties: judgement.parties,
    batchId,
    watchId,
    loggedFields,
    inputDigest: digests.input,
  });
  return evaluation;
}

/** The status of a batch: allowed when all are, or when one is and the first allowed one ends the batch. */
function summed(evaluations: readonly Evaluation[], oneIsEnough: boolean): Evaluation["status"] {
  const has = (status: Evaluation["status"]) => evaluations.some((one) => one.status === status);
  if (oneIsEnough && has("allow")) return "allow";
  const order = oneIsEnough ? (["require_approval", "deny"] as const) : (["deny", "require_approval"] as const);
  return order.find(has) ?? "allow";
}
