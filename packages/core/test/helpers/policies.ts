import type { Scene } from "@reeve/testkit";
import { expect } from "vitest";
import type { Policy } from "#families/governance/index.js";

/** Changes a policy as the owner. Where the change waits for a four-eyes approver, the admin confirms it. */
export async function changePolicy(scene: Scene, id: string, body: object): Promise<Policy> {
  const path = `/api/v1/ai-governance/policies/${id}`;
  const asked = await scene.send("PUT", path, { token: scene.owner.token, body });
  expect(asked.status, asked.text).toBe(200);
  if (!asked.json.pending) return asked.json;
  const decision = { decision: "confirm", digest: asked.json.pending.digest };
  const confirmed = await scene.send("POST", `${path}/pending`, { token: scene.actors.admin.token, body: decision });
  expect(confirmed.status, confirmed.text).toBe(200);
  return confirmed.json;
}
