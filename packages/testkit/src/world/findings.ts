import { collections, openedFinding, sha256 } from "@reeve/core";
import type { Scene } from "./scene.js";

type Detected = Parameters<typeof openedFinding>[1];

/** What an evaluation would have found on an asset, with the tenant's sentinel in every text. */
function detectedOn(assetId: string, text: string): Detected {
  return {
    policyId: text,
    policyKey: text.toLowerCase(),
    policyRevision: 1,
    ruleKey: "named",
    assetId,
    assetName: text,
    locus: text,
    severity: "medium",
    gate: false,
    category: text,
    title: text,
    message: text,
    remediation: text,
    controls: ["nist-ai-rmf-1.0:GOVERN 1.6"],
    evidence: { snapshotDigest: sha256(text), digest: sha256(`read of ${text}`), values: { "asset.name": text } },
    production: false,
    highRisk: false,
  };
}

/** Due dates as they are unless the platform is set up otherwise. */
export const SLA_DAYS = { critical: 7, high: 30, medium: 90, low: 180, info: null } as const;

/** Stores a finding as an evaluation would that finds this for the first time; gives its id. */
export async function storeFinding(scene: Scene, assetId: string, detected: Partial<Detected>): Promise<string> {
  const text = scene.unique();
  const now = new Date(scene.clock.now()).toISOString();
  const id = `fnd_0${sha256(text).slice(0, 25).toUpperCase()}`;
  const stamp = { id, version: 1, createdAt: now, createdBy: "system", updatedAt: now, updatedBy: "system" };
  const found = { ...detectedOn(assetId, text), ...detected };
  const finding = openedFinding(stamp, found, { now, slaDays: SLA_DAYS, exemptions: [] });
  const collection = collections.find(({ name }) => name === "findings");
  if (!collection) throw new Error("there are no findings");
  await scene.store.forTenant(scene.tenantId).insert(collection, finding);
  return id;
}

/** Stores a finding on an asset of its own and has an exemption of it asked for; gives the id of the exemption. */
export async function newExemption(scene: Scene, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const findingId = await scene.newFinding(await scene.newAsset());
  const { token } = scene.actors.operator;
  const text = scene.unique();
  const finding = await scene.send("GET", `/api/v1/ai-governance/findings/${findingId}`, { token });
  const body = {
    name: text,
    scope: { fingerprint: finding.json.fingerprint },
    reason: `because a test wants it so: ${text}`,
    compensatingControls: text,
    ticketRef: text,
    metadata: { note: text },
    ...more,
  };
  const asked = await scene.send("POST", "/api/v1/ai-governance/exemptions", { token, body });
  if (asked.status !== 201) throw new Error(asked.text);
  return asked.json.id;
}

/** Has an exemption asked for and approved by two people; gives its id. */
export async function newApprovedExemption(scene: Scene): Promise<string> {
  const id = await newExemption(scene);
  const asOwner = { token: scene.owner.token, headers: { "if-match": '"1"' } };
  const approved = await scene.send("PATCH", `/api/v1/ai-governance/exemptions/${id}/approve`, asOwner);
  if (approved.status !== 200) throw new Error(approved.text);
  return id;
}

/** Stores a finding and has something said about it; gives its id. */
export async function newReviewedFinding(scene: Scene): Promise<string> {
  const id = await scene.newFinding(await scene.newAsset());
  const body = { action: "comment", comment: scene.unique() };
  const path = `/api/v1/ai-governance/findings/${id}/review-actions`;
  const said = await scene.send("POST", path, { token: scene.owner.token, body });
  if (said.status !== 201) throw new Error(said.text);
  return id;
}

/** Stores a finding; gives its fingerprint. */
export async function newFingerprint(scene: Scene): Promise<string> {
  const id = await scene.newFinding(await scene.newAsset());
  const { json } = await scene.send("GET", `/api/v1/ai-governance/findings/${id}`, { token: scene.owner.token });
  return json.fingerprint;
}
