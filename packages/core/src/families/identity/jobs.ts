import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { type Due, dueBy, NEVER } from "#kernel/operation/dues.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import { PLATFORM_TENANT } from "../platform/index.js";
import { dropOldAttempts } from "./attempts/jobs.js";
import { attempts } from "./attempts/schema.js";
import { dropExpiredCredentials, KEPT } from "./clients/jobs.js";
import { clientCredentials } from "./clients/schema.js";
import { dropUsedAssertions, usedAssertions } from "./grants/prove/used-assertions.js";
import { keepKeys, keysDue, removeSigningKeys } from "./keys/rotate/rotate.js";
import { dropOldCodes } from "./one-time-codes/jobs.js";
import { addressProofs, oneTimeCodes } from "./one-time-codes/schema.js";
import { runPasswordLinkJobs } from "./password-links/jobs.js";
import { passwordLinks } from "./password-links/schema.js";
import { dropUnconfirmed } from "./second-factors/queries.js";
import { resetNotices } from "./second-factors/reset/notify-person.js";
import { factorResets } from "./second-factors/reset/schema.js";
import { secondFactors } from "./second-factors/schema.js";
import { dropOldProofs } from "./second-factors/step-up/require-proof.js";
import { factorProofs } from "./second-factors/step-up/schema.js";
import { dropExpiredSessions } from "./sessions/browser/jobs.js";
import { browserSessions } from "./sessions/browser/schema.js";
import { dropExpiredFamilies } from "./sessions/refresh-family.js";
import { refreshTokens } from "./sessions/schema.js";
import { noteRestore } from "./tokens/note-restore.js";
import { dropRevoked, revokedTokens } from "./tokens/revoked-tokens.js";

/** When this area has timed work. */
export const identityDues: readonly Due[] = [
  dueBy(attempts, "endsAt"),
  dueBy(oneTimeCodes, "expiresAt"),
  dueBy(addressProofs, "expiresAt"),
  keysDue,
  dueBy(passwordLinks, "nextTryAt", { where: { mail: "due" }, after: ({ mailer }) => (mailer ? 0 : undefined) }),
  dueBy(passwordLinks, "expiresAt"),
  dueBy(clientCredentials, "expiresAt", { after: () => KEPT }),
  dueBy(refreshTokens, "expiresAt"),
  dueBy(browserSessions, "expiresAt"),
  dueBy(revokedTokens, "expiresAt"),
  dueBy(secondFactors, "expiresAt"),
  dueBy(factorProofs, "expiresAt"),
  dueBy(factorResets, "decidedAt", { where: { mail: "due" }, after: ({ mailer }) => (mailer ? 0 : undefined) }),
  dueBy(usedAssertions, "expiresAt"),
];

/** Ends every sign-in of a tenant. No refresh token and no cookie of before works. */
export async function endSignIns(env: Environment, tenantId: string): Promise<number> {
  return (await voiding(refreshTokens)(env, tenantId)) + (await voiding(browserSessions)(env, tenantId));
}

/** What somebody can sign in with, or prove something, without more. */
const VOIDED = [endSignIns, voiding(oneTimeCodes), voiding(addressProofs), voiding(passwordLinks)];

/**
 * Ends tokens, codes and links that a restored backup has brought back. Without its keys no access token verifies; new
 * ones are made when they are needed.
 */
export async function endRestoredSignIns(env: Environment, tenantId: string): Promise<number> {
  let ended = 0;
  for (const end of VOIDED) ended += await end(env, tenantId);
  if (tenantId !== PLATFORM_TENANT) return ended;
  await noteRestore(env);
  return ended + (await removeSigningKeys(env));
}

/** Removes all records of a collection that are over some day. */
function voiding<R extends StoredRecord>(collection: Collection<R>) {
  const all = { by: "expiresAt", before: NEVER };
  return (env: Environment, tenantId: string) =>
    forEachDue(env, collection, all, tenantId, (ctx, record) => ctx.remove(collection, record, { event: false }));
}

const OF_PLATFORM = [dropOldAttempts, dropOldCodes, keepKeys, dropUsedAssertions];
const OF_TENANTS: readonly ((env: Environment, tenantId: string, now: string) => Promise<number>)[] = [
  runPasswordLinkJobs,
  dropExpiredCredentials,
  dropExpiredFamilies,
  dropExpiredSessions,
  dropRevoked,
  dropUnconfirmed,
  dropOldProofs,
  (env, tenantId) => env.use(resetNotices).deliver(tenantId),
  dropUsedAssertions,
];

/** Timed work of this area for one tenant. Returns how much was done. */
export async function runIdentityJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  let done = 0;
  for (const chore of tenantId === PLATFORM_TENANT ? OF_PLATFORM : OF_TENANTS) done += await chore(env, tenantId, now);
  return done;
}
