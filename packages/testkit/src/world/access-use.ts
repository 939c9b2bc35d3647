import { newAssignment } from "./access.js";
import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";
import { BARE, store } from "./stored-access.js";

/** A use that a target has told of. Returns the assignment and its asset. */
export async function newAccessUse(scene: Scene, more: Readonly<Record<string, unknown>> = {}) {
  const { id, assetId, connectorInstanceId, identityId, resourceId } = await newAssignment(scene);
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  await store(scene, "access_uses", "use", {
    ...BARE,
    ...{ at, assetId, identityId, assignmentId: id, attribution: "exact", primary: true, grantKey: text },
    ...{ connectorInstanceId, resourceId, tool: null, action: text, count: 1, outcome: "success", denyCode: null },
    ...{ latencyMs: null, argsHash: null, bytesIn: null, bytesOut: null, sessionId: null, tokenId: null },
    ...{ traceId: null, actors: [], source: "connector", externalEventId: text, part: 0, synthetic: false },
    ...more,
  });
  const day = `${at.slice(0, 10)}T00:00:00.000Z`;
  const counts = { total: 1, outcomes: [{ key: "success", count: 1 }], actions: [{ key: text, count: 1 }], lastAt: at };
  for (const subject of [id, assetId])
    await store(scene, "access_usage_days", "aud", { ...BARE, subject, day, ...counts });
  return { id, assetId };
}

const ofAsset = async (scene: Scene) => ({ assetId: (await newAccessUse(scene)).assetId });

/** The samples of operations about the use of access. */
export const accessUseSamples = {
  "accessSummary.read": { arrange: async (scene) => ({ assetId: (await newAssignment(scene)).assetId }) },
  "accessAssignments.listAll": {},
  "accessAssignments.usage": { arrange: async (scene) => ({ id: (await newAccessUse(scene)).id }) },
  "accessLifecycle.expiring": {},
  "accessLifecycle.unused": {},
  "accessLifecycle.dashboard": {},
  "accessUsage.list": { arrange: ofAsset },
  "accessUsage.export": { arrange: ofAsset },
  "accessUsage.summary": { arrange: ofAsset },
} as const satisfies Readonly<Record<string, Sample>>;
