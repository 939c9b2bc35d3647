import type { Actor, Answer, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const POLICIES = "/api/v1/ai-governance/policies";
const reason = "because a test wants it so";
const own = { status: 403, json: { code: "self_approval_forbidden" } };

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const actors = () => world.a.actors;
const send = (
  method: string,
  path: string,
  body: object | undefined,
  { token }: Pick<Actor, "token">,
): Promise<Answer> => world.send(method, path, { token, ...(body ? { body } : {}) });
const put = (id: string, body: object, who: Pick<Actor, "token">) => send("PUT", `${POLICIES}/${id}`, body, who);
const read = async (id: string) => (await send("GET", `${POLICIES}/${id}`, undefined, world.a.owner)).json;
const decide = async (id: string, decision: "confirm" | "decline", who: Pick<Actor, "token">, digest?: string) => {
  const seen = digest ?? (await read(id)).pending?.digest ?? "0".repeat(64);
  return send("POST", `${POLICIES}/${id}/pending`, { decision, digest: seen }, who);
};
const waits = async (id: string) => {
  const { json } = await send("GET", "/api/v1/reviews?kind=policy_change", undefined, actors().approver);
  return json.items
    .filter(({ subject }: { subject: { id: string } }) => subject.id === id)
    .map(({ requestedBy, permission }: { requestedBy: string; permission: string }) => [requestedBy, permission]);
};

/** A policy in force that the owner has written and the admin has activated. */
const inForce = (kind: "posture" | "runtime", more: Readonly<Record<string, unknown>> = {}) =>
  world.a.newPolicy(kind, { ...(kind === "posture" ? { gate: true } : {}), status: "active", ...more });

describe("G11 a policy that holds something back", () => {
  it.each(["posture", "runtime"] as const)(
    "is put in force by nobody who has written or changed it: %s",
    async (kind) => {
      const { admin, governance_officer: officer } = actors();
      const id = await world.a.newPolicy(kind, { ...(kind === "posture" ? { gate: true } : {}), status: "observe" });
      await put(id, { severity: "critical" }, admin);
      for (const who of [world.a.owner, admin]) expect(await put(id, { status: "active" }, who)).toMatchObject(own);
      expect(await put(id, { severity: "low", status: "active" }, officer)).toMatchObject(own);
      expect((await put(id, { status: "active" }, officer)).json).toMatchObject({
        status: "active",
        severity: "critical",
        involved: { ids: [], beyond: 0 },
      });
    },
  );

  it("is not written and put in force in one", async () => {
    const body = { ...world.a.policyBody("runtime"), status: "active" };
    expect(await send("POST", "/api/v1/ai/policies", body, world.a.owner)).toMatchObject(own);
    expect((await send("GET", `${POLICIES}?search=${body.key}`, undefined, world.a.owner)).json.items).toEqual([]);
  });

  it.each(["disabled", "observe"] as const)("goes to %s when a four-eyes approver has confirmed it", async (status) => {
    const { admin, governance_officer: officer } = actors();
    const id = await inForce("posture");
    if (status === "disabled") expect((await put(id, { status }, officer)).json.code).toBe("missing_reason");
    const asked = await put(id, { status, reason }, officer);
    expect(asked.json).toMatchObject({
      status: "active",
      pending: { by: officer.userId, status, reason, change: null },
    });
    expect(await waits(id)).toEqual([[officer.userId, "ai-policy:activate"]]);
    expect(await decide(id, "confirm", officer)).toMatchObject(own);
    expect((await decide(id, "confirm", actors().approver)).status).toBe(403);
    expect((await decide(id, "confirm", world.b.owner)).status).toBe(404);
    expect((await decide(id, "confirm", admin)).json).toMatchObject({ status, pending: null });
    expect(await waits(id)).toEqual([]);
  });

  it.each([{ gate: false }, { severity: "low" }, { params: { more: 1 } }, { selector: { assetTypes: ["tool"] } }])(
    "changes when a four-eyes approver has confirmed it: %j",
    async (change) => {
      const { admin, governance_officer: officer } = actors();
      const id = await inForce("posture");
      const before = await read(id);
      const asked = await put(id, change, officer);
      const [[field, value]] = Object.entries(change) as [[string, object]];
      expect(asked.json[field]).toEqual(before[field]);
      expect(asked.json.pending.change).toMatchObject({ [field]: value });
      expect((await put(id, { name: "Another name" }, officer)).json).toMatchObject({
        name: "Another name",
        pending: asked.json.pending,
      });
      expect((await decide(id, "confirm", admin)).json).toMatchObject({
        status: "active",
        ...change,
        pending: null,
        involved: { ids: [] },
      });
    },
  );

  it("comes to hold something back by two people as well", async () => {
    const { admin, governance_officer: officer } = actors();
    const id = await inForce("posture", { gate: false });
    expect((await put(id, { gate: true }, admin)).json).toMatchObject({
      gate: false,
      pending: { change: { gate: true } },
    });
    expect(await decide(id, "confirm", admin)).toMatchObject(own);
    expect((await decide(id, "confirm", officer)).json).toMatchObject({ gate: true });
  });

  it("S19 is changed only as it was seen", async () => {
    const { admin, governance_officer: officer } = actors();
    const id = await inForce("posture");
    const first = (await put(id, { severity: "low" }, officer)).json.pending.digest;
    const second = (await put(id, { gate: false }, officer)).json.pending.digest;
    expect(second).not.toBe(first);
    expect(await decide(id, "confirm", admin, first)).toMatchObject({ status: 412, json: { current: second } });
    expect(await read(id)).toMatchObject({ gate: true, pending: { change: { gate: false } } });
  });

  it("drops a change that waits when it is changed in what it says, or moved, meanwhile", async () => {
    const { admin, governance_officer: officer } = actors();
    const { rules } = world.a.policyBody("posture");
    for (const meanwhile of [
      { selector: { assetTypes: ["tool"] } },
      { params: { more: 1 } },
      { severity: "low" },
      { rules: [...(rules as object[]), { key: "more", assert: "true", message: "Never." }] },
      { status: "disabled", reason },
    ]) {
      const id = await inForce("posture", { gate: false });
      const { digest } = (await put(id, { gate: true }, officer)).json.pending;
      expect((await put(id, meanwhile, admin)).json).toMatchObject({ gate: false, pending: null });
      expect(await waits(id)).toEqual([]);
      expect(await decide(id, "confirm", admin, digest)).toMatchObject({
        status: 409,
        json: { guards: [{ key: "pendingChange" }] },
      });
    }
  });

  it("stays as it is when the change is declined, by whoever asked for it too", async () => {
    const { admin, governance_officer: officer } = actors();
    const id = await inForce("posture");
    for (const who of [officer, admin]) {
      await put(id, { status: "disabled", reason }, officer);
      expect((await decide(id, "decline", who)).json).toMatchObject({ status: "active", gate: true, pending: null });
    }
    expect(await decide(id, "confirm", admin)).toMatchObject({
      status: 409,
      json: { guards: [{ key: "pendingChange" }] },
    });
    const { json } = await send("GET", `/api/v1/ai/activity/${id}?size=100`, undefined, world.a.owner);
    const types = json.items.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => /change_(requested|declined)/.test(type))).toHaveLength(4);
  });
});

describe("G11 a policy that holds nothing back", () => {
  it("is written, put in force, changed and disabled by one person", async () => {
    const { governance_officer: officer } = actors();
    const { key, name, tests, rules } = world.a.policyBody("posture");
    const body = { key, name, tests, rules, gate: false, status: "active" };
    const { status, json } = await send("POST", POLICIES, body, officer);
    expect([status, json.status]).toEqual([201, "active"]);
    expect((await put(json.id, { severity: "low" }, officer)).json).toMatchObject({ severity: "low", pending: null });
    expect((await put(json.id, { status: "disabled", reason }, officer)).json.status).toBe("disabled");
  });
});

describe("G11 an upgrade of a pack", () => {
  it("waits where a policy in force holds something back", async () => {
    const { admin, governance_officer: officer } = actors();
    const install = () => send("POST", "/api/v1/ai-governance/policy-packs/foundation/install", undefined, officer);
    expect((await install()).status).toBe(200);
    const { items } = (await send("GET", `${POLICIES}?status=observe&size=100`, undefined, officer)).json;
    const gating = items.find(
      ({ gate, managedBy }: { gate: boolean; managedBy: string }) => gate && managedBy === "builtin",
    );
    expect(await put(gating.id, { status: "active" }, officer)).toMatchObject(own);
    expect((await put(gating.id, { status: "active" }, admin)).json.status).toBe("active");
    const home = world.store.forTenant(world.a.tenantId);
    const { policies } = await import("#families/governance/index.js");
    const row = await home.get(policies, gating.id);
    if (!row) throw new Error("the pack was not installed");
    // The policy as an earlier version of the pack would have stored it.
    const earlier = { ...row.value, version: row.version + 1, digest: "0".repeat(64), pack: "foundation/0" };
    await home.replace(policies, earlier, row.value);
    expect((await install()).json).toMatchObject({ upgraded: 0, waiting: 1 });
    expect(await read(gating.id)).toMatchObject({ pack: "foundation/0", pending: { by: officer.userId } });
    expect((await decide(gating.id, "confirm", admin)).json).toMatchObject({ pack: "foundation/1", pending: null });
    expect((await install()).json).toMatchObject({ upgraded: 0, waiting: 0 });
  });
});
