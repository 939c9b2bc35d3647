import type { Actor, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const POLICIES = "/api/v1/ai-governance/policies";
const reason = "because a test wants it so";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body?: object, who: Pick<Actor, "token"> = world.a.owner) =>
  world.send(method, `${POLICIES}${path}`, { token: who.token, ...(body ? { body } : {}) });
const ok = async (...[method, path, body, who]: Parameters<typeof send>) => {
  const answer = await send(method, path, body, who);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const gating = (more: object = {}) => world.a.newPolicy("posture", { gate: true, ...more });

describe("the versions of a policy", () => {
  it("are what each change left, the newest first, with who made it", async () => {
    const { governance_officer: officer } = world.a.actors;
    const id = await gating({ severity: "low" });
    await ok("PUT", `/${id}`, { severity: "critical", description: "More grave." }, officer);
    await ok("PUT", `/${id}`, { status: "observe" }, officer);
    await ok("PUT", `/${id}`, { params: { days: 3 } }, officer);
    const { items } = await ok("GET", `/${id}/versions`);
    expect(items).toMatchObject([
      { revision: 2, status: "observe", changed: ["params"], by: officer.userId },
      { revision: 1, status: "draft", changed: ["description", "severity"], by: officer.userId },
      { revision: 1, status: "draft", changed: null, by: world.a.owner.userId },
    ]);
    const read = (at: number) => ok("GET", `/${id}/versions/${items[at].id}`);
    expect(await read(0)).toMatchObject({ params: { days: 3 }, severity: "critical" });
    expect(await read(1)).toMatchObject({ params: {}, severity: "critical", description: "More grave." });
    expect(await read(2)).toMatchObject({ params: {}, severity: "low", changed: null });
  });

  it("are not found by the id of another event, or by another tenant", async () => {
    const id = await gating();
    const other = (await ok("GET", `/${await gating()}/versions`)).items[0].id;
    expect((await send("GET", `/${id}/versions/${other}`)).status).toBe(404);
    expect((await send("GET", `/${id}/versions`, undefined, world.b.owner)).status).toBe(404);
  });

  it("are undone through changes that waited for a second person", async () => {
    const { admin, governance_officer: officer } = world.a.actors;
    const id = await gating({ status: "active", severity: "low" });
    const { pending } = await ok("PUT", `/${id}`, { severity: "high" }, officer);
    await ok("POST", `/${id}/pending`, { decision: "confirm", digest: pending.digest }, admin);
    const { items } = await ok("GET", `/${id}/versions`);
    expect(items.map(({ changed }: { changed: string[] }) => changed)).toEqual([["severity"], null]);
    expect(await ok("GET", `/${id}/versions/${items[1].id}`)).toMatchObject({ severity: "low" });
  });
});

describe("putting a policy in force", () => {
  it("is asked for by its author, waits for somebody else, and is done as it is confirmed", async () => {
    const { admin, governance_officer: officer } = world.a.actors;
    const id = await gating();
    const before = await ok("GET", `/${id}/activation`);
    expect(before).toMatchObject({ holdsBack: true, hindrances: [], complete: true });
    const may = (userId: string, { people } = before) =>
      people.find((one: { id: string }) => one.id === userId)?.mayDecide;
    expect([may(world.a.owner.userId), may(officer.userId)]).toEqual([false, true]);
    const { pending, status } = await ok("POST", `/${id}/activation-request`, { reason }, officer);
    expect([status, pending]).toMatchObject(["draft", { by: officer.userId, status: "active", change: null, reason }]);
    expect(may(officer.userId, await ok("GET", `/${id}/activation`))).toBe(false);
    const body = { decision: "confirm", digest: pending.digest };
    expect((await send("POST", `/${id}/pending`, body, officer)).json.code).toBe("self_approval_forbidden");
    expect(await ok("POST", `/${id}/pending`, body, admin)).toMatchObject({ status: "active", pending: null });
  });

  it("is no longer asked for when what it says changes meanwhile", async () => {
    const id = await gating();
    await ok("POST", `/${id}/activation-request`);
    expect((await ok("PUT", `/${id}`, { params: { days: 3 } })).pending).toBeNull();
  });

  it("cannot be asked for before its tests pass, or once it is in force", async () => {
    const id = await gating({ tests: [] });
    expect((await send("POST", `/${id}/activation-request`)).json.code).toBe("transition_guard_failed");
    expect((await ok("GET", `/${id}/activation`)).hindrances).toEqual(["It has no tests."]);
    const active = await gating({ status: "active" });
    expect((await send("POST", `/${active}/activation-request`)).json.code).toBe("invalid_transition");
  });

  it("takes one person where it holds nothing back", async () => {
    const id = await world.a.newPolicy("posture");
    const { holdsBack, people } = await ok("GET", `/${id}/activation`);
    expect(holdsBack).toBe(false);
    expect(people.every(({ mayDecide }: { mayDecide: boolean }) => mayDecide)).toBe(true);
  });
});

describe("a fault of an expression", () => {
  it("says its line and column", async () => {
    const rules = [{ key: "a", assert: "asset.hasOwner &&\n  asset.nmae != ''", message: "No." }];
    const { faults } = await ok("POST", "/validate", { name: "x", key: "x", rules });
    expect(faults).toMatchObject([{ pointer: "/rules/0/assert", code: "unknown_name", line: 2, column: 9 }]);
  });
});
