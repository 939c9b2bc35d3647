import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";

/**
 * The body for starting the assessment of a control, for an asset or for all. It has every text and sufficient
 * evidence.
 */
export function assessmentBody(scene: Scene, assetId: string | null) {
  const text = scene.unique();
  return {
    name: text,
    framework: "nist-ai-rmf-1.0",
    controlId: "GOVERN 1.1",
    assetId,
    assessor: text,
    rationale: text,
    addEvidence: [{ type: "document", ref: `https://files.example/${text}`, digest: "0".repeat(64), note: text }],
    metadata: { note: text },
    attributes: { note: text },
  };
}

/** Starts an assessment, for a new asset by default. Returns its id. */
export async function newAssessment(
  scene: Scene,
  more: { readonly assetId?: string | null } & Readonly<Record<string, unknown>> = {},
  as: Actor = scene.owner,
): Promise<string> {
  const assetId = more.assetId === undefined ? await scene.newAsset() : more.assetId;
  const body = { ...assessmentBody(scene, assetId), ...more };
  const created = await scene.send("POST", "/api/v1/ai/compliance", { token: as.token, body });
  if (created.status !== 201) throw new Error(created.text);
  return created.json.id;
}

/** A framework of the tenant with one control. */
export function frameworkBody(scene: Scene) {
  const text = scene.unique();
  return {
    name: text,
    publisher: text,
    edition: "1",
    source: text,
    terms: text,
    controls: [{ id: "C 1", title: text, kind: "manual", guidance: text, sourceRef: text }],
  };
}

/** Uploads a framework of the tenant, whose control is as `more` has it. Returns its key. */
export async function newFramework(
  scene: Scene,
  more: Readonly<Record<string, unknown>> = {},
  key = scene.unique().toLowerCase(),
): Promise<string> {
  const path = `/api/v1/ai/compliance/frameworks/${key}`;
  const { controls, ...framework } = frameworkBody(scene);
  const body = { ...framework, controls: controls.map((control) => ({ ...control, ...more })) };
  const uploaded = await scene.send("PUT", path, { token: scene.owner.token, body });
  if (uploaded.status !== 200) throw new Error(uploaded.text);
  return key;
}

/** Adopts a new framework of the tenant. Returns its key. */
export async function newAdoption(scene: Scene): Promise<string> {
  const key = await newFramework(scene);
  const path = `/api/v1/ai/compliance/frameworks/${key}/adoption`;
  const body = { roles: ["deployer"], scope: scene.unique() };
  const adopted = await scene.send("PUT", path, { token: scene.owner.token, body });
  if (adopted.status !== 200) throw new Error(adopted.text);
  return key;
}

const anAssessment = async (scene: Scene) => ({ id: await newAssessment(scene) });
const nothing: Sample = {};

/** The samples of this area's operations. */
export const complianceSamples = {
  "aiCompliance.list": nothing,
  "aiCompliance.create": {
    async arrange(scene) {
      scene.picked = await scene.newAsset();
      return {};
    },
    body: (scene) => assessmentBody(scene, scene.picked),
  },
  "aiCompliance.posture": nothing,
  "aiCompliance.frameworkPosture": { arrange: async (scene) => ({ key: await newAdoption(scene) }) },
  "aiCompliance.report": nothing,
  "aiCompliance.fileReport": nothing,
  "aiCompliance.listFrameworks": nothing,
  "aiCompliance.readFramework": { arrange: async () => ({ key: "nist-ai-rmf-1.0" }) },
  "aiCompliance.replaceFramework": {
    arrange: async (scene) => ({ key: scene.unique().toLowerCase() }),
    body: frameworkBody,
  },
  "aiCompliance.deleteFramework": { arrange: async (scene) => ({ key: await newFramework(scene) }) },
  "aiCompliance.adoptFramework": {
    arrange: async (scene) => ({ key: await newFramework(scene) }),
    body: (scene) => ({ roles: ["deployer"], scope: scene.unique() }),
  },
  "aiCompliance.abandonFramework": { arrange: async (scene) => ({ key: await newAdoption(scene) }) },
  "aiCompliance.read": { arrange: anAssessment },
  "aiCompliance.replace": { arrange: anAssessment, body: (scene) => ({ rationale: scene.unique() }) },
  "aiCompliance.delete": { arrange: anAssessment },
} as const satisfies Readonly<Record<string, Sample>>;
