import type { Clock } from "@reeve/core";
import { collections } from "@reeve/core/reference";
import type { Store } from "@reeve/core/store";

const BATCH = 1_000;
/** Assignments of one asset, and principals. */
const ASSETS = 1_000;

/** A clock that the bench moves on. */
export class MovedClock implements Clock {
  ahead = 0;
  now = () => Date.now() + this.ahead;
}

/** Stores records as jobs would have, a batch at a time. */
export async function seed(
  store: Store,
  tenantId: string,
  name: string,
  count: number,
  make: (number: number) => object,
): Promise<void> {
  const collection = collections.find((one) => one.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  for (let start = 0; start < count; start += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => make(start + index));
    await store.forTenant(tenantId).insertMany(collection, records as never);
  }
}

export const idOf = (prefix: string, number: number) => `${prefix}_01JD3Z6T5W${String(number).padStart(16, "0")}`;

/** The same grant in the target. */
export const grantOf = (number: number) => ({
  resource: { type: "thing", externalId: `grant ${number}` },
  profileExternalId: `profile ${number % 50}`,
  principal: { type: "service_account" as const, externalId: `service ${number % ASSETS}`, displayName: null },
});

/** An active assignment, without an end unless `more` says otherwise. */
export function assignment(
  number: number,
  { connectorInstanceId, at, ...more }: { connectorInstanceId: string; at: string; [field: string]: unknown },
) {
  const text = `grant ${number}`;
  return {
    ...{ id: idOf("asg", number), version: 1, name: text, status: "active", metadata: {} },
    ...{ createdAt: at, createdBy: "system", updatedAt: at, updatedBy: "system", requestId: null, source: "import" },
    ...{ assetId: idOf("ast", number % ASSETS), identityId: idOf("aid", number % ASSETS), connectorInstanceId },
    ...{
      resourceId: idOf("ars", number),
      accessProfileId: idOf("apf", number % 50),
      parameters: {},
      ...grantOf(number),
    },
    ...{ grantKey: text, previousGrantKey: null, externalGrantId: null, notBefore: at, duration: null, editVersion: 1 },
    ...{ expiresAt: null, isPermanent: true, approvedHash: "hash", privilegeLevel: 1, riskLevel: "low" },
    ...{
      targetState: "present",
      observedAt: at,
      observedBy: "sync",
      unseenSince: null,
      activatedAt: at,
      lastVerifiedAt: null,
    },
    ...{ lastUsedAt: null, certifiedUntil: null, preExisting: false, sharedGrant: false, unverified: false },
    ...{ endReason: null, endedBy: null, endingSince: null, endedAt: null, residualAccess: null, failure: null },
    ...more,
  };
}

/** What a grant is access to, as a sync has found it. */
export function resource(number: number, { connectorInstanceId, at }: { connectorInstanceId: string; at: string }) {
  const text = `grant ${number}`;
  return {
    ...{ id: idOf("ars", number), version: 1, name: text, status: "active", metadata: {} },
    ...{ createdAt: at, createdBy: "system", updatedAt: at, updatedBy: "system", connectorInstanceId },
    ...{ resourceType: "thing", externalId: text, parent: null, attributes: {}, sensitivity: null },
    ...{ fingerprint: "hash", previousFingerprint: null, firstSeenAt: at, lastSeenAt: at, missingSince: null },
    lastSyncId: idOf("asy", 0),
  };
}

/** A difference of a grant; every other one is resolved. */
export function drift(number: number, { connectorInstanceId, at }: { connectorInstanceId: string; at: string }) {
  const isOver = number % 2 === 0;
  return {
    ...{ id: idOf("drf", number), version: 1, name: `drift ${number}`, status: isOver ? "resolved" : "open" },
    ...{ createdAt: at, createdBy: "system", updatedAt: at, updatedBy: "system", metadata: {}, connectorInstanceId },
    ...{ kind: "expiry_mismatch", severity: "medium", assetId: idOf("ast", number % ASSETS), resourceId: null },
    ...{ assignmentId: idOf("asg", number), accessProfileId: null, parameters: {}, ...grantOf(number) },
    ...{ grantKey: `other grant ${number}`, immutable: false, diff: [], fingerprint: "hash", repairs: [], advice: "" },
    ...{ suspectedAt: at, confirmedAt: at, lastSeenAt: at, scanId: null, detectedBy: "scan", recurrence: 1 },
    ...{ acceptedUntil: null, decidedBy: null, endedAt: isOver ? at : null },
  };
}

/** The reconciliation of the same grant, which has nothing to do. */
export function reconciliation(
  number: number,
  { connectorInstanceId, at }: { connectorInstanceId: string; at: string },
) {
  return {
    ...{ id: idOf("aln", number), version: 1, createdAt: at, grantKey: `grant ${number}`, ...grantOf(number) },
    ...{ assignmentId: idOf("asg", number), connectorInstanceId, resourceId: idOf("ars", number), parameters: {} },
    ...{ externalGrantId: null, phase: "idle", wanted: "present", targetState: "present", observedAt: at, asked: 1 },
    ...{
      fence: 1,
      acting: null,
      granted: true,
      shown: true,
      hiddenSince: null,
      preExisting: false,
      externalOpRef: null,
      attempts: 0,
    },
    ...{ failingSince: null, failure: null, settledUntil: null, listedBy: null, dueAt: null },
  };
}
