import { type Ask, readRequest, recordDecision, type Semantic } from "#families/governance/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { answered, evaluateOne, type PreparedAsks, prepareAsks, prepareOne } from "./evaluate-one.js";
import { Action, Entity } from "./fields.js";

type Json = Readonly<Record<string, unknown>>;

interface Batch extends Json {
  readonly evaluations?: readonly Json[] | undefined;
  readonly options?: { readonly evaluations_semantic?: Semantic | undefined } | undefined;
}

/** A question of a batch that can be asked, or why it cannot. */
type Item = { readonly ask: Ask } | { readonly fault: string };

export interface PreparedBatch {
  readonly items: readonly Item[];
  readonly semantic: Semantic;
  /** The questions that can be asked; `undefined` where there are none. */
  readonly asked: PreparedAsks | undefined;
}

/** Judges a batch. Without questions it is one, as the standard has it for older clients. */
export async function prepareBatch(ctx: ReadContext, body: Batch): Promise<PreparedAsks | PreparedBatch> {
  const { evaluations = [], options, ...shared } = body;
  if (evaluations.length === 0) return prepareOne(ctx, shared);
  const semantic = options?.evaluations_semantic ?? "execute_all";
  const items = evaluations.map((own) => itemOf({ ...shared, ...own }));
  const faulty = items.findIndex((item) => "fault" in item);
  // A question that cannot be asked is denied, and so ends a batch that ends with the first denial.
  const within = semantic === "deny_on_first_deny" && faulty >= 0 ? items.slice(0, faulty + 1) : items;
  const asks = within.flatMap((item) => ("ask" in item ? [item.ask] : []));
  if (asks.length === 0) return { items: within, semantic, asked: undefined };
  return { items: within, semantic, asked: await prepareAsks(ctx, { asks, batch: true, semantic }) };
}

export async function evaluateBatch(ctx: Context, batch: PreparedAsks | PreparedBatch) {
  if (!("items" in batch)) return evaluateOne(ctx, batch);
  const { items, asked } = batch;
  const { evaluations = [] } = asked ? await recordDecision(ctx, asked.prepared) : {};
  const answers: (Awaited<ReturnType<typeof answered>> | ReturnType<typeof denied>)[] = [];
  let next = 0;
  for (const item of items) {
    if ("fault" in item) {
      answers.push(denied(item.fault));
      continue;
    }
    const evaluation = evaluations[next];
    if (!evaluation || !asked) break;
    answers.push(await answered(ctx, asked, next, evaluation));
    next += 1;
  }
  return { evaluations: answers };
}

const denied = (message: string) => ({ decision: false, context: { error: { status: 400, message } } });

function itemOf({ subject, action, resource, context }: Json): Item {
  const [who, act, what] = [Entity.safeParse(subject), Action.safeParse(action), Entity.safeParse(resource)];
  try {
    const [ask] = readRequest({
      subject: who.data ?? subject,
      action: act.data ?? action,
      resource: what.data ?? resource,
      ...(context === undefined ? {} : { context }),
    }).asks;
    return { ask: ask as Ask };
  } catch (error) {
    if (!ReeveError.is(error)) throw error;
    const at = error.errors.map(({ pointer, message }) => `${pointer}: ${message}`);
    return { fault: at.length > 0 ? at.join(" ") : error.message };
  }
}
