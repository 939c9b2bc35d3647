import { defineService, type Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import type { ReeveError } from "../http/errors.js";
import type { Context } from "../operation/context.js";
import { effectOf } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import { transact } from "../operation/transact.js";
import type { Execution } from "./execution.js";

/** The path of a principal's record, provided by the areas that keep principals. */
export const principalPath = defineService<(principal: Principal) => string>("kernel.principalPath", () => {
  throw new Error("nothing says where principals are read");
});

const DENIALS: ReadonlySet<number> = new Set([403, 404, 409]);

/** Records a refused write in the caller's own activity stream. The event names the operation, never the target. */
export async function recordDenial(env: Environment, execution: Execution, error: ReeveError): Promise<void> {
  const { operation, principal, facts } = execution;
  if (!principal || effectOf(operation) === "read" || !DENIALS.has(error.status)) return;
  await transact(env, { principal, facts }, (ctx) =>
    ctx.emit({
      type: "request.denied",
      subject: { id: principal.userId, type: principal.kind, path: env.use(principalPath)(principal) },
      data: { operation: operation.id, status: error.status, code: error.code },
      outcome: "denied",
    }),
  );
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
