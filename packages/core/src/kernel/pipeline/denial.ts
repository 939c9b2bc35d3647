import { isIdOf } from "#store/collection.js";
import { defineService, type Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import type { ReeveError } from "../http/errors.js";
import type { Context } from "../operation/context.js";
import { effectOf } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import { tableOf } from "../operation/table.js";
import { transact } from "../operation/transact.js";
import type { Execution } from "./execution.js";

/** The path of a principal's record, provided by the areas that keep principals. */
export const principalPath = defineService<(principal: Principal) => string>("kernel.principalPath", () => {
  throw new Error("nothing says where principals are read");
});

const DENIALS: ReadonlySet<number> = new Set([403, 404, 409]);

/** Records a refused write in the activity of the caller and of the record that was to be changed. */
export async function recordDenial(env: Environment, execution: Execution, error: ReeveError): Promise<void> {
  const { operation, principal, facts, params = {} } = execution;
  if (!principal || effectOf(operation) === "read" || !DENIALS.has(error.status)) return;
  // Nothing is written into a tenant that is not at work, and a decision has an event of its own.
  if (error.code === "tenant_suspended" || error.code === "decision_denied") return;
  await transact(env, { principal, facts }, async (ctx) => {
    const found = await targetOf(ctx, params);
    await ctx.emit({
      type: "request.denied",
      subject: { id: principal.userId, type: principal.kind, path: env.use(principalPath)(principal) },
      related: found?.related ?? [],
      data: { operation: operation.id, status: error.status, code: error.code, target: found?.target ?? null },
      outcome: "denied",
    });
  });
}

/** The record of the caller's tenant that a path names. Ids of other tenants are left out. */
async function targetOf(ctx: Context, params: Readonly<Record<string, string>>) {
  const { collections } = ctx.env.use(tableOf);
  for (const id of Object.values(params).reverse()) {
    const collection = collections.find((one) => one.resource && one.prefix !== null && isIdOf(one, id));
    const record = collection && (await ctx.db.get(collection, id))?.value;
    if (!record) continue;
    return { target: { type: collection.resource?.type, id }, related: [id, ...(collection.related?.(record) ?? [])] };
  }
  return undefined;
}

/** Records refused inputs of a batch in the open transaction: one event per error code, with the number of inputs. */
export async function emitDenials(ctx: Context, operation: string, errors: readonly ReeveError[]): Promise<void> {
  const counts = new Map<ReeveError["code"], { readonly status: number; items: number }>();
  for (const { code, status } of errors) {
    if (DENIALS.has(status)) counts.set(code, { status, items: (counts.get(code)?.items ?? 0) + 1 });
  }
  const { principal } = ctx;
  for (const [code, { status, items }] of counts) {
    await ctx.emit({
      type: "request.denied",
      subject: { id: principal.userId, type: principal.kind, path: ctx.env.use(principalPath)(principal) },
      data: { operation, status, code, items },
      outcome: "denied",
    });
  }
}

/** Like `emitDenials`, in a transaction of its own. */
export async function recordDenials(
  { env, principal, facts }: { readonly env: Environment; readonly principal: Principal; readonly facts: RequestFacts },
  operation: string,
  errors: readonly ReeveError[],
): Promise<void> {
  if (!errors.some(({ status }) => DENIALS.has(status))) return;
  await transact(env, { principal, facts }, (ctx) => emitDenials(ctx, operation, errors));
}
