import type { Actor, Scene, World } from "@reeve/testkit";
import { expect } from "vitest";
import { sendAsSeen } from "./seen.js";

export const POLICIES = "/api/v1/ai-governance/policies";

/** Policies in force and assets on their way to production, in one tenant of a world. */
export function gatesOf(world: World, scene: Scene = world.a) {
  const ask = (method: string, path: string, body?: object, who = scene.owner) =>
    world.send(method, path, { token: who.token, ...(body ? { body } : {}) });
  const done = async (method: string, path: string, body?: object, who = scene.owner) => {
    const answer = await ask(method, path, body, who);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  return {
    ask,
    done,
    /** Decides with the version that is there now. */
    async decided(method: string, path: string, body: object, who: Pick<Actor, "token">) {
      const answer = await sendAsSeen(world, method, path, { token: who.token, body });
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    },
    /** A policy of one rule, with a test that keeps it out of the way of other assets. Returns its id. */
    policy(assert: string, more: object = {}): Promise<string> {
      const key = scene.unique().toLowerCase();
      return scene.newPolicy("posture", {
        key,
        status: "observe",
        gate: true,
        selector: { expression: 'asset.provider == "gated"' },
        rules: [{ key: "holds", assert, message: "{asset.name} fails." }],
        tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
        ...more,
      });
    },
    /** Puts a policy in force, by another person than the one who wrote it. */
    activate: (id: string) => done("PUT", `${POLICIES}/${id}`, { status: "active" }, scene.actors.governance_officer),
    /** A gating policy in force. Returns its id. */
    async gate(assert: string, more: object = {}): Promise<string> {
      const id = await this.policy(assert, more);
      await this.activate(id);
      return id;
    },
    /** An approved asset in validation, which only gates keep from production. Returns its id. */
    async candidate(more: object = {}): Promise<string> {
      return this.prepared(await scene.newAsset({ provider: "gated", ...more }));
    },
    /** Brings an asset to where only gates keep it from production. */
    async prepared(id: string): Promise<string> {
      const path = `/api/v1/ai-assets/${id}`;
      await done("PATCH", `${path}/lifecycle`, { status: "validation" });
      await done("PATCH", `${path}/governance-state`, { status: "under_review" }, scene.actors.operator);
      await done("PATCH", `${path}/governance-state`, { status: "approved" }, scene.actors.approver);
      return id;
    },
    promote: (id: string) => ask("PATCH", `/api/v1/ai-assets/${id}/lifecycle`, { status: "production" }),
    run: (body: object = {}) => done("POST", "/api/v1/ai-governance/evaluations/run", body),
  };
}
