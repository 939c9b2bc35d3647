import type { Scene } from "./scene.js";

/** Stores a finding on a new asset and requests an exemption. Returns the id of the exemption. */
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

/** Requests an exemption that two people approve. Returns its id. */
export async function newApprovedExemption(scene: Scene): Promise<string> {
  const id = await newExemption(scene);
  const asOwner = { token: scene.owner.token, headers: { "if-match": '"1"' } };
  const approved = await scene.send("PATCH", `/api/v1/ai-governance/exemptions/${id}/approve`, asOwner);
  if (approved.status !== 200) throw new Error(approved.text);
  return id;
}

/** Stores a finding and adds a comment. Returns its id. */
export async function newReviewedFinding(scene: Scene): Promise<string> {
  const id = await scene.newFinding(await scene.newAsset());
  const body = { action: "comment", comment: scene.unique() };
  const path = `/api/v1/ai-governance/findings/${id}/review-actions`;
  const said = await scene.send("POST", path, { token: scene.owner.token, body });
  if (said.status !== 201) throw new Error(said.text);
  return id;
}

/** Stores a finding. Returns its fingerprint. */
export async function newFingerprint(scene: Scene): Promise<string> {
  const id = await scene.newFinding(await scene.newAsset());
  const { json } = await scene.send("GET", `/api/v1/ai-governance/findings/${id}`, { token: scene.owner.token });
  return json.fingerprint;
}
