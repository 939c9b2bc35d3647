import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { type Due, dueBy, NEVER } from "#kernel/operation/dues.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import type { Reader } from "#store/store.js";
import { containedRecords } from "../estate/index.js";
import { entitlements, tenants } from "../platform/index.js";
import { licenceIn } from "./access.js";
import { samlKeys } from "./keys/schema.js";
import { endSessionsOfClosed } from "./sessions/end/closed.js";
import { endStoppedSessions } from "./sessions/end/stopped.js";
import { notifyApplications } from "./sessions/notify/notify-applications.js";
import { samlSessions } from "./sessions/schema.js";
import { samlNonces, samlUsedMessages } from "./sign-on/schema.js";

/** When this area has timed work. */
export const appDues: readonly Due[] = [
  dueBy(samlNonces, "expiresAt"),
  dueBy(samlUsedMessages, "expiresAt"),
  dueBy(samlSessions, "endsAt"),
  dueBy(samlSessions, "notifyAt", { after: ({ saml }) => (saml ? 0 : undefined) }),
  dueBy(samlKeys, "retiresAt"),
  { watches: containedRecords },
  { watches: [tenants, entitlements], next: licenceEnds },
];

/** When the licence of a tenant ends by itself. */
async function licenceEnds(_env: Environment, reader: Reader, now: string): Promise<string | null> {
  const ends = (await licenceIn(reader))?.expiresAt ?? null;
  return ends !== null && ends > now ? ends : null;
}

/** Ends sign-ons that were begun before a backup was restored. Returns how many. */
export function endRestoredSignOns(env: Environment, tenantId: string): Promise<number> {
  return forEachDue(env, samlNonces, { by: "expiresAt", before: NEVER }, tenantId, (ctx, nonce) =>
    ctx.remove(samlNonces, nonce, { event: false }),
  );
}

/**
 * Deletes nonces, messages, sessions and keys whose time is over, ends sessions of stopped AI identities and
 * of tenants that may not use applications, and tells applications of logouts. Returns how many.
 */
export async function runAppJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const drop = <R extends StoredRecord>(collection: Collection<R>, by: string) =>
    forEachDue(env, collection, { by, before: now }, tenantId, (ctx, record) => ctx.remove(collection, record));
  const unused = (await drop(samlNonces, "expiresAt")) + (await drop(samlUsedMessages, "expiresAt"));
  const over = (await drop(samlSessions, "endsAt")) + (await drop(samlKeys, "retiresAt"));
  const stopped = (await endSessionsOfClosed(env, tenantId)) + (await endStoppedSessions(env, tenantId));
  return unused + over + stopped + (await notifyApplications(env, tenantId));
}
