import { systemPrincipal } from "#kernel/config/principal.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { processContext } from "#kernel/operation/system-context.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import type { Row } from "#store/row.js";
import { type User, users } from "../../users/schema.js";
import { budgets } from "./budgets.js";
import { ATTEMPT_WINDOW, budgetOf, peerOf } from "./gate.js";

/** The most events of failed sign-ins in one window of attempts: of a user, and of a tenant. */
const REPORTED = { user: 5, tenant: 100 } as const;

/**
 * Logs a failed sign-in and records it in the tenant of each account of that name. Events are written after the answer,
 * so that the time taken discloses no account.
 */
export function reportFailure(ctx: ReadContext, accounts: readonly Row<User>[]): void {
  const address = peerOf(ctx);
  const { requestId } = ctx.request;
  ctx.env.logger.warn({ requestId, address, users: accounts.map(({ id }) => id) }, "sign-in failed");
  // The invited have no password yet, so nobody guesses one.
  for (const account of accounts.filter(({ value }) => value.status !== "invited")) {
    recordFailure(ctx, account, address).catch((error: unknown) => {
      ctx.env.logger.warn({ requestId, error: String(error) }, "a failed sign-in is in no event");
    });
  }
}

async function recordFailure({ env, request }: ReadContext, account: Row<User>, address: string): Promise<void> {
  await yieldToEventLoop();
  const { tenantId, id, value } = account;
  const wait = await env
    .use(budgets)
    .spend([
      budgetOf(env, ["failureOfUser", tenantId, id], REPORTED.user, ATTEMPT_WINDOW),
      budgetOf(env, ["failureOfTenant", tenantId], REPORTED.tenant, ATTEMPT_WINDOW),
    ]);
  if (wait > 0) return;
  const { requestId, nowMs, mountPath } = request;
  await processContext(env, systemPrincipal(tenantId), { requestId, nowMs, mountPath }).write((ctx) =>
    ctx.emit({
      type: "user.sign_in_failed",
      subject: { id, type: "user", path: `${users.resource?.path}/${id}` },
      data: { entity: { type: "user", id, name: value.name }, address },
      outcome: "failure",
    }),
  );
}
