import { type Actor, askOf, newRule, type Scene, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventTypes, headOf } from "../../helpers/facts.js";
import { hookBench } from "../../helpers/hook-bench.js";
import { createWorld } from "../../helpers/world.js";

const EVALUATE = "/api/v1/ai/policies/evaluate";
const APPROVALS = "/api/v1/ai-governance/approvals";
const reason = "because a test wants it so";
const MINUTE = 60_000;

let world: World;
let scene: Scene;
let asker: Actor;
let second: Actor;
let bench: ReturnType<typeof hookBench>["bench"];
let inForce: ReturnType<typeof hookBench>["inForce"];
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
  asker = scene.actors.operator;
  second = await scene.newUser(["governance_officer"]);
  ({ bench, inForce } = hookBench(world, scene));
});

const evaluate = (context: object, more: object = {}) =>
  world.send("POST", EVALUATE, { token: asker.token, body: { ...askOf(scene), ...more, context } });
const decide = (id: string, verb: "approve" | "withdraw", body: object = {}, as: Actor = second) =>
  world.send("PATCH", `${APPROVALS}/${id}/${verb}`, { token: as.token, body: { reason, ...body } });
const read = async (id: string) => (await world.send("GET", `${APPROVALS}/${id}`, { token: second.token })).json;
const inMinutes = (minutes: number) => new Date(world.clock.now() + minutes * MINUTE).toISOString();

/** Asks for an approval of this scope, of an action that a new rule lets wait. Returns its id, and how it is used. */
async function asked(approvalScope?: object, more: object = {}) {
  await newRule(scene, "require_approval");
  const about = { ...askOf(scene), ...more };
  const { json } = await evaluate({ ...(approvalScope ? { approvalScope } : {}) }, about);
  const approvalId: string = json.context.approval.id;
  return { id: approvalId, use: async () => (await evaluate({ approvalId }, about)).json.status };
}

describe("an approval", () => {
  it("is for one call unless more is asked for and given", async () => {
    const { id, use } = await asked({ uses: 5 });
    expect(await read(id)).toMatchObject({
      requestedScope: { covers: "same_call", uses: 5, until: null },
      ...{ scope: null, uses: 0 },
    });
    expect((await decide(id, "approve")).json.scope).toEqual({ covers: "same_call", uses: 1, until: null });
    expect([await use(), await use()]).toEqual(["allow", "require_approval"]);
  });

  it("is used as often as it was given for, each use counted, by 20 at once", async () => {
    const { id, use } = await asked({ uses: 5 });
    await decide(id, "approve", { scope: { uses: 3 } });
    const before = await headOf(scene);
    const answers = await Promise.all(Array.from({ length: 20 }, use));
    expect(answers.filter((status) => status === "allow")).toHaveLength(3);
    expect(answers.filter((status) => status === "require_approval")).toHaveLength(17);
    expect(await read(id)).toMatchObject({ status: "used", uses: 3 });
    const told = await eventTypes(scene, before);
    const many = (type: string) => told.filter((one) => one === type).length;
    expect([many("decision_approval.used"), many("decision.allowed")]).toEqual([2, 3]);
  });

  it("reaches no further than was asked for, nor beyond the time of approvals", async () => {
    const { id } = await asked({ uses: 2, until: inMinutes(30) });
    for (const [scope, pointer] of [
      [{ uses: 3 }, "/scope/uses"],
      [{ uses: null }, "/scope/uses"],
      [{ covers: "tool_in_session" }, "/scope/covers"],
      [{ uses: 1, until: inMinutes(31) }, "/scope/until"],
      [{ uses: 1, until: inMinutes(-1) }, "/scope/until"],
    ] as const) {
      const { status, json } = await decide(id, "approve", { scope });
      expect([status, json.errors?.map((one: { pointer: string }) => one.pointer)], pointer).toEqual([
        400,
        expect.arrayContaining([pointer]),
      ]);
    }
    expect((await decide(id, "approve")).json).toMatchObject({ scope: { uses: 1 }, expiresAt: inMinutes(30) });
    const { id: open } = await asked({ uses: null });
    expect((await decide(open, "approve", { scope: { uses: 1, until: inMinutes(61) } })).status).toBe(400);
  });

  it("until a time is used until then, and withdrawn at once", async () => {
    const { id, use } = await asked({ uses: null, until: inMinutes(60) });
    await decide(id, "approve", { scope: { until: inMinutes(10) } });
    expect([await use(), await use(), await use()]).toEqual(["allow", "allow", "allow"]);
    world.clock.advance(10 * MINUTE);
    expect([await use(), (await read(id)).status]).toEqual(["require_approval", "expired"]);

    const another = await asked({ uses: null });
    await decide(another.id, "approve", { scope: { uses: null } });
    expect(await another.use()).toBe("allow");
    expect((await decide(another.id, "withdraw", {}, scene.actors.operator)).status).toBe(403);
    expect((await decide(another.id, "withdraw", {}, world.b.owner)).status).toBe(404);
    expect((await decide(another.id, "withdraw")).json).toMatchObject({ status: "withdrawn", uses: 1 });
    expect(await another.use()).toBe("require_approval");
  });

  it.each([
    [{ uses: 0 }, "/context/approvalScope/uses"],
    [{ covers: "everything" }, "/context/approvalScope/covers"],
    [{ more: 1 }, "/context/approvalScope"],
    ["all", "/context/approvalScope"],
    [{ covers: "tool_in_session" }, "/context/approvalScope/covers"],
  ])("is not asked for with the scope %j", async (approvalScope, pointer) => {
    scene.picked = scene.unique();
    const { status, json } = await evaluate({ approvalScope });
    expect([status, json.errors?.[0]?.pointer]).toEqual([400, pointer]);
  });
});

describe("an approval of a tool in a session", () => {
  const push = { tool: "Bash" };

  it("is given for what a client asks, for that tool and session alone", async () => {
    await inForce("require_approval", push);
    const { ask, decided } = await bench();
    const call = async (command: string, more: object = {}) =>
      (await decided("Bash", { command }, more)).permissionDecision;
    const { permissionDecisionReason } = await decided("Bash", { command: "one" });
    const id = /apr_\w+/.exec(permissionDecisionReason)?.[0] ?? "";
    const waiting = /apr_\w+/.exec((await decided("Bash", { command: "two" })).permissionDecisionReason)?.[0] ?? "";
    expect((await decide(id, "approve", { scope: { covers: "tool_in_session" } })).status).toBe(200);
    expect([await call("one"), await call("two"), await call("three")]).toEqual(["allow", "allow", "allow"]);
    expect(await call("one", { session_id: "another" })).toBe("deny");
    expect((await ask("mcp__files-more__read")).json.hookSpecificOutput.permissionDecision).toBe("deny");
    const twice = await decide(waiting, "approve", { scope: { covers: "tool_in_session" } });
    expect([twice.status, twice.json.code]).toEqual([409, "already_exists"]);
    expect((await read(id)).uses).toBe(3);
    await decide(id, "withdraw");
    expect(await call("one")).toBe("deny");
  });

  it("may be for some uses, and is one call where nobody says more", async () => {
    await inForce("require_approval", push);
    for (const [body, expected] of [
      [{ scope: { covers: "tool_in_session", uses: 2 } }, ["allow", "allow", "deny"]],
      [{}, ["deny", "deny", "deny"]],
    ] as const) {
      const { decided } = await bench();
      const { permissionDecisionReason } = await decided("Bash", { command: "zero" });
      await decide(/apr_\w+/.exec(permissionDecisionReason)?.[0] ?? "", "approve", body);
      const answers = ["one", "two", "three"].map(async (command) => decided("Bash", { command }));
      const said = (await Promise.all(answers)).map(({ permissionDecision }) => permissionDecision);
      expect(said.sort()).toEqual([...expected].sort());
    }
  });
});
