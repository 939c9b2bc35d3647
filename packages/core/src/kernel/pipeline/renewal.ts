import { andThen } from "../async/maybe-promise.js";
import { defineService, type Environment } from "../config/environment.js";
import { ReeveError } from "../http/errors.js";
import type { Gates } from "../operation/gates.js";
import { tableOf } from "../operation/table.js";
import { admitTenant, checkAccess } from "./access.js";
import type { Caller, Execution } from "./execution.js";
import type { Run } from "./run.js";

/** How long a caller counts of whom no change was told, in milliseconds, because not every process and host tells. */
const UNREPORTED = 1_000;

/** Counts the commits that caches were told of, whoever made them. */
export const reportedChanges = defineService("kernel.reportedChanges", (env) => {
  const reported = { count: 0 };
  const broadcast = env.use(tableOf).collections.filter((collection) => collection.broadcast);
  env.onBroadcast(broadcast, () => {
    reported.count += 1;
  });
  return reported;
});

/**
 * Looks at a caller again after slow work: by what identified them first, with tenant, switches, licence and permission
 * of now. `undefined` when nothing was told since then and hardly any time has passed, which asks nobody.
 */
export function renewalOf(env: Environment, gates: Gates, run: Run): Execution["renew"] {
  const { principal: before, facts, seen } = run;
  const { operation, identify } = run.start;
  if (!operation.prepare || !before) return undefined;
  return () => {
    if (env.use(reportedChanges).count === seen && env.clock.now() - facts.nowMs < UNREPORTED) return undefined;
    return andThen(identify(), (principal) => {
      if (principal?.tenantId !== before.tenantId || principal.userId !== before.userId)
        throw new ReeveError("invalid_token");
      return andThen(admitTenant(gates, { operation, principal, facts }), (tenant): Caller => {
        checkAccess(env, operation, principal, tenant);
        return { principal, tenant };
      });
    });
  };
}
