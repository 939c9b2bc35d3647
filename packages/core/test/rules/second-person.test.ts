import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { machines } from "../../src/reference/index.js";
import { createWorld } from "../helpers/world.js";

const reason = "because a test wants it so";
const CONDITIONS = { conditions: [{ key: "log", text: "Log every call." }] };

/** Every transition that requester and owner cannot make. */
const TAKEN_BY_ANOTHER = [
  "complianceResult: attest to compliant",
  "complianceResult: exclude to not_applicable",
  "complianceResult: exempt to exempted",
  "decisionApprovalStatus: approve to approved",
  "exemptionStatus: approve to approved",
  "governanceState: approve to approved",
  "governanceState: approve_conditionally to conditionally_approved",
  "governanceState: reinstate to approved",
  "governanceState: reinstate to conditionally_approved",
  "governanceState: reinstate to expired",
  "governanceState: reinstate to unreviewed",
  "governanceState: renew to approved",
  "governanceState: renew to conditionally_approved",
];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe("a second person", () => {
  it("takes these decisions and no others", () => {
    const found = machines.flatMap(({ name, transitions }) =>
      transitions.filter(({ secondPerson }) => secondPerson).map(({ event, to }) => `${name}: ${event} to ${to}`),
    );
    expect(found.sort()).toEqual(TAKEN_BY_ANOTHER);
  });

  describe.each(["a", "b"] as const)("in tenant %s", (name) => {
    const decide = (scene: Scene, id: string, who: Actor, status: string) =>
      scene.send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, {
        token: who.token,
        body: { status, reason, ...(status === "conditionally_approved" ? { configuration: CONDITIONS } : {}) },
      });
    const stateOf = async ({ send, owner }: Scene, id: string) =>
      (await send("GET", `/api/v1/ai-assets/${id}`, { token: owner.token })).json.governanceState;

    it.each(["approved", "conditionally_approved"])("makes an asset %s, and not who asked for it", async (status) => {
      const scene = world[name];
      const { approver } = scene.actors;
      const id = await scene.newAsset();
      expect((await decide(scene, id, approver, "under_review")).status).toBe(200);
      const own = await decide(scene, id, approver, status);
      expect([own.status, own.json.code]).toEqual([403, "self_approval_forbidden"]);
      expect(await stateOf(scene, id)).toBe("under_review");
      expect((await decide(scene, id, scene.actors.admin, status)).json.governanceState).toBe(status);
    });

    it.each(["approved", "conditionally_approved"])("makes an asset %s, and not who owns it", async (status) => {
      const scene = world[name];
      const { approver, operator } = scene.actors;
      const id = await scene.newAsset({ owner: { type: "user", id: approver.userId } });
      expect((await decide(scene, id, operator, "under_review")).status).toBe(200);
      const own = await decide(scene, id, approver, status);
      expect([own.status, own.json.code]).toEqual([403, "self_approval_forbidden"]);
      const { owner: stranger } = world[name === "a" ? "b" : "a"];
      expect((await decide(scene, id, stranger, status)).status).toBe(404);
      expect(await stateOf(scene, id)).toBe("under_review");
      expect((await decide(scene, id, scene.actors.admin, status)).json.governanceState).toBe(status);
    });
  });
});
