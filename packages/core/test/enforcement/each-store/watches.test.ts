import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventTypes, headOf } from "../../helpers/facts.js";
import { type Bench, hookBench } from "../../helpers/hook-bench.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let scene: Scene;
let second: Actor;
let bench: ReturnType<typeof hookBench>["bench"];
let inForce: ReturnType<typeof hookBench>["inForce"];
let as: ReturnType<typeof hookBench>["as"];
let asOwner: ReturnType<typeof hookBench>["asOwner"];
let done: ReturnType<typeof hookBench>["done"];
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
  second = await scene.newUser(["governance_officer"]);
  ({ bench, inForce, as, asOwner, done } = hookBench(world, scene));
});

const reason = "because a test wants it so";
const DAY = 86_400_000;

/** A watch of the team of an installation, approved by a second person. */
async function watch(team: string | null, more: object = {}) {
  const asked = await done(asOwner("POST", "/ai/watches", { team, reason, ...more }));
  await done(as(second.token)("POST", `/ai/watches/${asked.id}/approve`, { reason }));
  const path = `/ai/watches/${asked.id}`;
  return {
    id: asked.id as string,
    path,
    summary: () => done(asOwner("GET", `${path}/summary`)),
    calls: async () => (await done(asOwner("GET", `${path}/would-be-denied?sort=-calls`))).items,
    enforce: (digest: string) => asOwner("POST", `${path}/enforce`, { digest, reason }),
  };
}

const ofCall = (one: Bench, command: string, more: object = {}) => one.decided("Bash", { command }, more);
const said = async (one: Bench, command: string, more: object = {}) =>
  (await ofCall(one, command, more)).permissionDecision;

describe("a watch", () => {
  it("lets pass what would be denied or would wait, and counts it by tool and rule", async () => {
    const waits = scene.unique();
    await inForce("require_approval", { command: waits });
    const one = await bench();
    expect(await said(one, waits)).toBe("deny");
    const { calls, summary } = await watch(one.team);
    const before = await headOf(scene);
    const { permissionDecision, permissionDecisionReason } = await ofCall(one, "curl other.example");
    expect([permissionDecision, permissionDecisionReason]).toEqual([
      "allow",
      expect.stringMatching(/^Only watched until/),
    ]);
    for (const command of [waits, waits, waits]) expect(await said(one, command)).toBe("allow");
    expect((await one.decided("WebFetch")).permissionDecision).toBe("allow");
    const told = await eventTypes(scene, before);
    expect(told.filter((type) => type.startsWith("decision"))).toEqual(Array(5).fill("decision.watched"));
    const found = await calls();
    expect(found.map(({ tool, status, calls: many }: Record<string, unknown>) => [tool, status, many])).toEqual([
      ["Bash", "require_approval", 3],
      ...[
        ["Bash", "deny", 1],
        ["WebFetch", "deny", 1],
      ].sort(() => (found[1].tool === "Bash" ? 0 : -1)),
    ]);
    expect(found[0]).toMatchObject({
      agentIds: [one.agentId],
      teams: [one.team],
      reasons: [{ code: "policy_approval" }],
    });
    expect(await summary()).toMatchObject({ kinds: 3, denied: 2, waiting: 3, lastAt: expect.any(String) });
    expect(JSON.stringify([found, await summary()])).not.toMatch(/curl/);
  });

  it("takes two people, an end that is near, and is one for each team", async () => {
    const one = await bench();
    const asked = await done(asOwner("POST", "/ai/watches", { team: one.team, reason }));
    expect(await said(one, "anything")).toBe("deny");
    const own = await asOwner("POST", `/ai/watches/${asked.id}/approve`, { reason });
    expect([own.status, own.json.code]).toEqual([403, "self_approval_forbidden"]);
    const again = await asOwner("POST", "/ai/watches", { team: one.team, reason });
    expect([again.status, again.json.code]).toEqual([409, "already_exists"]);
    const far = new Date(world.clock.now() + 91 * DAY).toISOString();
    const late = await asOwner("POST", "/ai/watches", { team: scene.unique(), reason, expiresAt: far });
    expect([late.status, late.json.code]).toEqual([400, "invalid_request"]);
    await done(as(second.token)("POST", `/ai/watches/${asked.id}/reject`, { reason }));
    expect(await said(one, "anything")).toBe("deny");
    const other = await watch(scene.unique());
    expect(await said(one, "anything")).toBe("deny");
    const foreign = world.b.owner.token;
    for (const path of ["", "/summary", "/would-be-denied"])
      expect((await world.send("GET", `/api/v1${other.path}${path}`, { token: foreign })).status).toBe(404);
    const body = { digest: "0".repeat(64) };
    expect((await world.send("POST", `/api/v1${other.path}/enforce`, { token: foreign, body })).status).toBe(404);
  });

  it("of the whole tenant is of every team, and ends by itself", async () => {
    const one = await bench();
    const ends = new Date(world.clock.now() + DAY).toISOString();
    await watch(null, { expiresAt: ends });
    expect(await said(one, "anything")).toBe("allow");
    world.clock.advance(DAY);
    expect(await said(one, "anything", { session_id: "s2" })).toBe("deny");
  });

  it("is turned to enforcing by whoever has seen what would be denied", async () => {
    const one = await bench();
    const { summary, enforce } = await watch(one.team);
    const { digest } = await summary();
    expect(await said(one, "first")).toBe("allow");
    const unseen = await enforce(digest);
    const seen = await summary();
    expect([unseen.status, unseen.json.current]).toEqual([412, seen.digest]);
    // Another call of the same kind is no news.
    expect(await said(one, "second")).toBe("allow");
    const { status, enforcedBy, seenDigest } = await done(enforce(seen.digest));
    expect([status, enforcedBy, seenDigest]).toEqual(["enforced", scene.owner.userId, seen.digest]);
    expect(await said(one, "third")).toBe("deny");
  });

  it("asks for no approval, and uses one that is there", async () => {
    const command = scene.unique();
    await inForce("require_approval", { command });
    const one = await bench();
    const { permissionDecisionReason } = await ofCall(one, command);
    const approvalId = /apr_\w+/.exec(permissionDecisionReason)?.[0];
    const { calls } = await watch(one.team);
    await done(as(second.token)("PATCH", `/ai-governance/approvals/${approvalId}/approve`, { reason }));
    expect((await ofCall(one, command)).permissionDecisionReason).not.toMatch(/Only watched/);
    const before = await headOf(scene);
    expect(await said(one, command)).toBe("allow");
    expect(await eventTypes(scene, before)).toEqual(["decision.watched"]);
    expect(await calls()).toHaveLength(1);
  });
});

describe("a stop denies in a watch too", () => {
  const suspended = { status: "suspended", reason };
  const govern = (assetId: string, body: object) => asOwner("PATCH", `/ai-assets/${assetId}/governance-state`, body);

  it.each<[string, (one: Bench) => Promise<unknown>, number]>([
    ["a halt", () => done(asOwner("POST", "/ai/halts", { scope: "all_agents", reason })), 200],
    ["a suspended agent", ({ agentId }) => done(govern(agentId, suspended)), 200],
    ["a suspended identity", ({ identityAssetId }) => done(govern(identityAssetId, suspended)), 401],
    ["a revoked installation", ({ id }) => done(asOwner("POST", `/ai/installations/${id}/revoke`, { reason })), 401],
    [
      "a terminated session",
      async ({ agentId }) => {
        const { items } = await done(asOwner("GET", `/ai/sessions?agentId=${agentId}`));
        await done(asOwner("POST", `/ai/sessions/${items[0].id}/terminate`, { reason }));
      },
      200,
    ],
    [
      "a kill switch",
      ({ agentId }) => {
        const body = { status: "engaged", reason, configuration: { tenantId: scene.tenantId } };
        return done(as(scene.provider.owner.token)("POST", `/support/kill-switches/ai.asset.${agentId}`, body));
      },
      200,
    ],
  ])("%s", async (_stop, stop, status) => {
    const one = await bench();
    await watch(one.team);
    expect(await said(one, "go")).toBe("allow");
    const stopped = Object(await stop(one));
    for (const tool of ["Bash", "Unknown"]) {
      const answer = await one.ask(tool, { command: "go" });
      expect([answer.status, answer.json.hookSpecificOutput?.permissionDecision]).toEqual(
        status === 200 ? [200, "deny"] : [401, undefined],
      );
    }
    if (stopped.scope === "all_agents") await done(asOwner("POST", `/ai/halts/${stopped.id}/lift`, { reason }));
  });
});
