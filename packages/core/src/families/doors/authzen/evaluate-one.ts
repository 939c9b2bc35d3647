import {
  type Ask,
  type DecisionRequest,
  type Evaluation,
  type Prepared,
  prepareDecision,
  readRequest,
  recordDecision,
} from "#families/governance/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type Named, nameRecords } from "./name-records.js";
import { sayDenied, withApproval } from "./requests/say-denied.js";
import { splitObligations } from "./split-obligations.js";

/** Questions that were judged. */
export interface PreparedAsks {
  readonly prepared: Prepared;
  readonly named: Named;
  /** The questions as they were sent. */
  readonly sent: readonly Ask[];
}

/** Judges one question, whose members are those of the standard. */
export function prepareOne(ctx: ReadContext, body: Readonly<Record<string, unknown>>): Promise<PreparedAsks> {
  return prepareAsks(ctx, readRequest(body));
}

export async function prepareAsks(ctx: ReadContext, request: DecisionRequest): Promise<PreparedAsks> {
  const named = await nameRecords(ctx, request.asks.map(withApproval));
  return { prepared: await prepareDecision(ctx, { ...request, asks: named.asks }), named, sent: request.asks };
}

export async function evaluateOne(ctx: Context, asked: PreparedAsks) {
  const { id, status, decision, context } = await recordDecision(ctx, asked.prepared);
  return answered(ctx, asked, 0, { id, status, decision, context: context as Evaluation["context"] });
}

/** A decision as the standard tells it: all that is ours stands in its context, and what its profiles say beside it. */
export async function answered(ctx: Context, asked: PreparedAsks, at: number, evaluation: Evaluation) {
  const { id, status, decision, context } = evaluation;
  const [sent, ask, ambiguous] = [asked.sent[at] as Ask, asked.named.asks[at] as Ask, asked.named.ambiguous[at]];
  const { contextReads: reads = [] } = asked.prepared.judged[at] ?? {};
  const by = context.approval && { ...context.approval, approved_until: context.approval.expiresAt };
  const more = decision ? (by ? { approval: by } : {}) : await sayDenied(ctx, { sent, ask, reads, evaluation });
  const split = splitObligations(context.obligations);
  return { decision, context: { id, status, ...context, ...split, ...(ambiguous ? { ambiguous } : {}), ...more } };
}
