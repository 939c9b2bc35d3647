import {
  type Evaluation,
  type Prepared,
  prepareDecision,
  readRequest,
  recordDecision,
} from "#families/governance/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type Named, nameRecords } from "./name-records.js";

export interface PreparedOne {
  readonly prepared: Prepared;
  readonly named: Named;
}

/** Judges one question, whose members are those of the standard. */
export async function prepareOne(ctx: ReadContext, body: Readonly<Record<string, unknown>>): Promise<PreparedOne> {
  const request = readRequest(body);
  const named = await nameRecords(ctx, request.asks);
  return { prepared: await prepareDecision(ctx, { ...request, asks: named.asks }), named };
}

export async function evaluateOne(ctx: Context, { prepared, named }: PreparedOne) {
  const { id, status, decision, context } = await recordDecision(ctx, prepared);
  return answered({ id, status, decision, context: context as Evaluation["context"] }, named.ambiguous[0]);
}

/** A decision as the standard tells it: all that is ours stands in its context. */
export function answered({ id, status, decision, context }: Evaluation, ambiguous: Named["ambiguous"][number]) {
  return { decision, context: { id, status, ...context, ...(ambiguous ? { ambiguous } : {}) } };
}
