import type { Environment } from "../../../kernel/environment.js";
import { forEachDue } from "../../../kernel/upkeep.js";
import { timestamp } from "../../../ports/clock.js";
import { PLATFORM_TENANT } from "../../platform/index.js";
import { ATTEMPT_WINDOW } from "./attempts.js";
import { signInAttempts } from "./schema.js";

/** Forgets attempts whose window has passed; returns how many. */
export async function dropOldAttempts(env: Environment, tenantId: string, now: string): Promise<number> {
  if (tenantId !== PLATFORM_TENANT) return 0;
  const old = { by: "startedAt", before: timestamp(Date.parse(now) - ATTEMPT_WINDOW) };
  return forEachDue(env, signInAttempts, old, tenantId, (ctx, attempts) =>
    ctx.tx.remove(signInAttempts, attempts, now),
  );
}
