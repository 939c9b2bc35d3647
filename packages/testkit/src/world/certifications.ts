import { collections } from "@reeve/core/reference";
import { accessScopeHash } from "@reeve/core/testing";
import type { Scene } from "./scene.js";
import { store, storedRecord } from "./stored-access.js";

const DAY = 86_400_000;

/** A certification that people work on, or as `more` has it, and that no job concerns. Returns its id. */
export function newCertification(scene: Scene, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  const dueAt = new Date(scene.clock.now() + 14 * DAY).toISOString();
  const stage = { name: text, reviewer: "asset_owner", strategy: "one_denies", duration: "P14D" };
  return store(scene, "access_certifications", "cert", {
    ...{ status: "active", description: text, kind: "campaign", ownerId: scene.owner.userId },
    scope: { includePermanent: true, exclude: [] },
    stages: [{ ...stage, onNoReviewer: "fallback", fallbackUserIds: [] }],
    ...{ startAt: at, dueAt, remediation: { mode: "on_close", undoWindow: "PT24H" }, onSilence: "keep_and_flag" },
    ...{ confirmSilentRevoke: false, maxAutoRevokePercent: 25, staleDataAction: "continue", maxDataAge: "P1D" },
    ...{ recurrence: null, iteration: 1, previousId: null, requestId: null, stage: 0, stageDueAt: dueAt },
    ...{ escalated: false, waitingFor: null, startedAt: at, closedAt: null, endedAt: null, confirmation: null },
    ...{ report: null, reportHash: null, attributes: { note: text } },
    ...more,
  });
}

/** What these records have none of. */
const BARE = { metadata: undefined };

/** Ids of the scene's own people, and of the newest others. */
async function everybody(scene: Scene): Promise<string[]> {
  const users = collections.find(({ name }) => name === "users");
  const found = users && (await scene.store.forTenant(scene.tenantId).find(users, { size: 100 }));
  const own = Object.values(scene.actors).map(({ userId }) => userId);
  return [...new Set([...own, ...(found?.rows ?? []).map(({ id }) => id)])].sort();
}

/** Access that everybody of the scene may decide about. Returns its id. */
export async function newCertificationItem(
  scene: Scene,
  certificationId: string,
  assignmentId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  const one = await storedRecord(scene, "access_assignments", assignmentId);
  const profile = await storedRecord(scene, "access_profiles", one.accessProfileId as string);
  const { version, accessProfileId, parameters, grantKey, privilegeLevel, riskLevel, expiresAt, isPermanent } = one;
  const reviewers = await everybody(scene);
  const panelId = await store(scene, "access_review_panels", "arp", { ...BARE, members: [...reviewers, text] });
  await store(scene, "access_asked_panels", "apn", { ...BARE, certificationId, panelId, dueAt: null });
  const asked = { certificationId, userId: text, ownerId: scene.owner.userId, dueAt: null };
  await store(scene, "access_asked_reviewers", "arv", { ...BARE, ...asked });
  return store(scene, "access_certification_items", "citm", {
    ...BARE,
    ...{ name: text, status: "pending", certificationId, assignmentId, assetId: one.assetId, assetName: text },
    connectorInstanceId: one.connectorInstanceId,
    snapshot: {
      ...{ version, takenAt: at, scopeHash: accessScopeHash(one as never), accessProfileId, profileName: text },
      ...{ permissions: [text], definitionHash: profile.definitionHash, parameters, grantKey, privilegeLevel },
      ...{
        riskLevel,
        expiresAt,
        isPermanent,
        usageState: "unknown",
        lastUsedAt: null,
        targetState: "present",
        unknown: null,
      },
      ...{ observedAt: at, openDrift: 0, conflicts: [] },
    },
    ...{ snapshotVersion: 1, previous: null, changes: [], recommendation: { value: "none", why: [] }, stage: 0 },
    ...{ panelId, reviewers, delegations: [], dueAt: new Date(scene.clock.now() + 14 * DAY).toISOString() },
    ...{ decisions: [], outcome: null, silent: false, decidedAt: null, outlivesAccess: false, note: null },
    ...more,
  });
}
