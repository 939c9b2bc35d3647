import type { Actor, Scene, World } from "@reeve/testkit";
import { expect } from "vitest";
import { type Finding, findingAt, findings } from "#families/findings/index.js";
import { sendAsSeen } from "./seen.js";

export const FINDINGS = "/api/v1/ai-governance/findings";
export const EXEMPTIONS = "/api/v1/ai-governance/exemptions";
export const REASON = "because a test wants it so";
export const DAY = 86_400_000;

/** The findings of one tenant of a world, and operations on them. */
export function findingsOf(world: World, scene: Scene = world.a) {
  const ask = (method: string, path: string, body?: object, who: Actor = scene.owner) =>
    world.send(method, path, { token: who.token, ...(body ? { body } : {}) });
  return {
    ask,
    /** Stores a finding as an evaluation would, on a new asset by default. */
    async found(detected: Parameters<Scene["newFinding"]>[1] = {}, assetId?: string): Promise<Finding> {
      const id = await scene.newFinding(assetId ?? (await scene.newAsset()), detected);
      return (await ask("GET", `${FINDINGS}/${id}`)).json;
    },
    read: async (id: string, who?: Actor): Promise<Finding> =>
      (await ask("GET", `${FINDINGS}/${id}`, undefined, who)).json,
    review: (id: string, body: Readonly<Record<string, unknown>>, who: Actor = scene.owner) =>
      body.action === "approve_exemption"
        ? sendAsSeen(world, "POST", `${FINDINGS}/${id}/review-actions`, { token: who.token, body })
        : ask("POST", `${FINDINGS}/${id}/review-actions`, body, who),
    /** Changes a stored finding directly, as an evaluation would. */
    async rewrite(id: string, patch: Partial<Finding>): Promise<void> {
      const store = scene.store.forTenant(scene.tenantId);
      const row = await store.get(findings, id);
      if (!row) throw new Error("there is no such finding");
      const now = new Date(world.clock.now()).toISOString();
      await store.replace(
        findings,
        { ...findingAt({ ...row.value, ...patch }, now), version: row.value.version + 1 },
        row.value,
      );
    },
    /** Requests an exemption as the operator. Returns the stored one. */
    async requested(body: object, who: Actor = scene.actors.operator) {
      const answer = await ask("POST", EXEMPTIONS, { reason: REASON, ...body }, who);
      expect(answer.status, answer.text).toBe(201);
      return answer.json;
    },
    /** Requests an exemption as the operator and approves it as the owner. Returns the stored one. */
    async approved(body: object, who: Actor = scene.actors.operator) {
      const { id } = await this.requested(body, who);
      const answer = await this.approve(id);
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    },
    approve: (id: string, who: Actor = scene.owner, body?: object) =>
      sendAsSeen(world, "PATCH", `${EXEMPTIONS}/${id}/approve`, { token: who.token, ...(body ? { body } : {}) }),
    revoke: (id: string) => ask("PATCH", `${EXEMPTIONS}/${id}/revoke`, { reason: REASON }),
    inDays: (days: number) => new Date(world.clock.now() + days * DAY).toISOString(),
    ids: async (query = "", who?: Actor): Promise<string[]> =>
      (await ask("GET", `${FINDINGS}${query}`, undefined, who)).json.items.map(({ id }: Finding) => id),
  };
}
