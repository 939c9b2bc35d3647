import type { Environment } from "../../kernel/environment.js";
import { PLATFORM_TENANT } from "../platform/index.js";
import { dropOldAttempts } from "./attempts/upkeep.js";
import { dropExpiredCredentials } from "./clients/upkeep.js";
import { dropOldCodes } from "./one-time-codes/upkeep.js";
import { tendPasswordLinks } from "./password-links/upkeep.js";

/** What time asks of this family for one tenant; returns how much was done. */
export async function tendIdentity(env: Environment, tenantId: string, now: string): Promise<number> {
  if (tenantId !== PLATFORM_TENANT)
    return (await tendPasswordLinks(env, tenantId, now)) + (await dropExpiredCredentials(env, tenantId, now));
  return (await dropOldAttempts(env, tenantId, now)) + (await dropOldCodes(env, tenantId, now));
}
