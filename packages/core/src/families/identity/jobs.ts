import type { Environment } from "../../kernel/config/environment.js";
import { PLATFORM_TENANT } from "../platform/index.js";
import { dropOldAttempts } from "./attempts/jobs.js";
import { dropExpiredCredentials } from "./clients/jobs.js";
import { dropUsedAssertions } from "./grants/prove/used-assertions.js";
import { keepKeys } from "./keys/rotate/rotate.js";
import { dropOldCodes } from "./one-time-codes/jobs.js";
import { runPasswordLinkJobs } from "./password-links/jobs.js";
import { dropExpiredFamilies } from "./sessions/refresh/family.js";
import { dropRevoked } from "./tokens/revoke/revoked.js";

const OF_PLATFORM = [dropOldAttempts, dropOldCodes, keepKeys];
const OF_TENANTS = [runPasswordLinkJobs, dropExpiredCredentials, dropExpiredFamilies, dropRevoked, dropUsedAssertions];

/** Timed work of this area for one tenant. Returns how much was done. */
export async function runIdentityJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  let done = 0;
  for (const chore of tenantId === PLATFORM_TENANT ? OF_PLATFORM : OF_TENANTS) done += await chore(env, tenantId, now);
  return done;
}
