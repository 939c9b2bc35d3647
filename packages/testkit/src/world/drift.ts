import type { Scene } from "./scene.js";
import { store } from "./stored-access.js";

/** The assignment that a difference is about, and what it is access to. */
export interface DriftSubject {
  readonly connectorInstanceId: string;
  readonly assetId: string;
  readonly assignmentId: string;
  readonly resourceId: string;
  readonly accessProfileId: string;
}

/** A difference between a target and what was granted, or as `more` has it. Returns its id. */
export function newDrift(
  scene: Scene,
  { connectorInstanceId, assetId, assignmentId, resourceId, accessProfileId }: DriftSubject,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  return store(scene, "access_drift", "drf", {
    ...{ status: "open", kind: "missing_in_target", severity: "high", connectorInstanceId, assetId, assignmentId },
    ...{ resourceId, resource: { type: "repository", externalId: text }, accessProfileId, profileExternalId: text },
    principal: { type: "service_account", externalId: text, displayName: text },
    ...{ parameters: { note: text }, grantKey: text, immutable: false, diff: [], fingerprint: text },
    ...{ repairs: ["grant", "end"], advice: text, suspectedAt: at, confirmedAt: at, lastSeenAt: at, scanId: null },
    ...{
      detectedBy: "verify",
      recurrence: 1,
      acceptedUntil: null,
      decidedBy: null,
      endedAt: null,
      followUpId: null,
      repairedAt: null,
    },
    ...more,
  });
}

/** What these records have none of. */
const BARE = { name: undefined, metadata: undefined, createdBy: undefined, updatedAt: undefined, updatedBy: undefined };

/** A scan that is over, and a difference that it has resolved. No job concerns them. */
export async function newDriftRecords(scene: Scene, subject: DriftSubject): Promise<void> {
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  await newDrift(scene, subject, { status: "resolved", endedAt: at });
  const zero = { pages: 0, listed: 0, rejected: 0, foreign: 0, known: 0, missing: 0 };
  const scanId = await store(scene, "access_drift_scans", "dsc", {
    ...{ status: "complete", connectorInstanceId: subject.connectorInstanceId, coverage: "none", kinds: [] },
    counts: { ...zero, found: 0, confirmed: 0, dismissed: 0, resolved: 0, unanswered: 0, unknown: 0 },
    ...{
      complete: false,
      incompleteBecause: [],
      leftOut: [],
      credentialsComplete: null,
      anomaly: null,
      failure: null,
      acceptedBy: null,
      startedAt: at,
      endedAt: at,
      followedAt: null,
    },
    attributes: { note: text },
  });
  await store(scene, "access_drift_scan_runs", "dsr", {
    ...BARE,
    ...{ scanId, phase: "resolving", cursor: null, accepted: false, attempts: 0, dueAt: null },
  });
}
