import { ROLE_NAMES, type Role, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { permissionsOf } from "#reference/index.js";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const asOwner = () => ({ token: world.a.owner.token });
const patch = (userId: string, body: object, token = world.a.owner.token) =>
  world.send("PATCH", `/api/v1/users/${userId}`, { token, body });

describe("the last active owner", () => {
  it.each<[string, (id: string) => Promise<{ status: number; json: { code: string; detail: string } }>]>([
    ["removed", (id) => world.send("DELETE", `/api/v1/users/${id}`, asOwner())],
    ["disabled", (id) => patch(id, { status: "disabled" })],
    ["demoted", (id) => patch(id, { roles: ["admin"] })],
  ])("cannot be %s, and a second one makes it possible", async (_what, act) => {
    const before = await recordsOf(world.a);
    const refused = await act(world.a.owner.userId);
    expect([refused.status, refused.json.code]).toEqual([409, "in_use"]);
    // E15: what is said is about owners, not about assets.
    expect(refused.json.detail).toContain("make somebody else an owner first");
    expect(JSON.stringify(refused.json)).not.toMatch(/retire/i);
    expect(await recordsOf(world.a)).toEqual(before);
    await world.a.newUser(["owner"]);
    expect((await act(world.a.owner.userId)).status).toBeLessThan(300);
  });

  it("remains when all owners leave at once", async () => {
    const owners = [world.a.owner, await world.a.newUser(["owner"]), await world.a.newUser(["owner"])];
    const answers = await Promise.all(owners.map((owner) => patch(owner.userId, { status: "disabled" }, owner.token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});

describe("granting roles", () => {
  const holdsAll = (granter: Role, role: Role) =>
    role === "owner"
      ? granter === "owner"
      : [...permissionsOf([role])].every((each) => permissionsOf([granter]).has(each));

  it("is limited to what the granter holds itself", async () => {
    for (const granter of ROLE_NAMES.filter((role) => permissionsOf([role]).has("user:write"))) {
      for (const role of ROLE_NAMES) {
        const { token } = world.a.actors[granter];
        const target = (await world.a.newUser([])).userId;
        const answer = await patch(target, { roles: [role] }, token);
        expect([granter, role, answer.status]).toEqual([granter, role, holdsAll(granter, role) ? 200 : 403]);
      }
    }
  });

  it("covers taking away, creating and removing, and giving to oneself", async () => {
    const { token, userId } = world.a.actors.admin;
    const owner = await world.a.newUser(["owner"]);
    const body = { username: "new@example.test", roles: ["owner"] };
    const refusals = [
      await patch(owner.userId, { roles: [] }, token),
      await patch(userId, { roles: ["admin", "owner"] }, token),
      await world.send("POST", "/api/v1/users", { token, body }),
      await world.send("DELETE", `/api/v1/users/${owner.userId}`, { token }),
    ];
    for (const { status, json } of refusals) expect([status, json.role]).toEqual([403, "owner"]);
  });

  it.each([[["nobody"]], [["owner", "owner"]], ["owner"], [[1]], [null]])("takes no %j", async (roles) => {
    expect((await patch(world.a.actors.member.userId, { roles })).status).toBe(400);
  });
});

describe("the list of roles", () => {
  it("holds the built-in roles and the host's, with what each permits, and the provider's for the provider alone", async () => {
    const reviewer = { description: "Reviews drafts", permissions: ["ai-asset:read", "review:read"] };
    const { a, provider, send } = await createWorld({ roles: { draft_reviewer: reviewer } });
    const rolesFor = async (token: string) => (await send("GET", "/api/v1/roles", { token })).json;
    const { items, permissions } = await rolesFor(a.owner.token);
    const names = items.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...ROLE_NAMES, "draft_reviewer"]);
    expect(items.at(-1)).toEqual({ name: "draft_reviewer", builtIn: false, ...reviewer });
    for (const { name, builtIn, permissions: given } of items)
      if (builtIn) expect(given, name).toEqual([...permissionsOf([name])].sort());
    expect(permissions).toContainEqual({
      ...{ name: "user:write", lets: "Create, change, disable and remove users", peopleOnly: true },
    });
    expect(JSON.stringify({ items, permissions })).not.toContain("support:");
    const own = await rolesFor(provider.owner.token);
    expect(own.items.map(({ name }: { name: string }) => name)).toContain("provider_support");
    expect(JSON.stringify(own.permissions)).toContain("support:sql");
  });

  it("is for those who may see users", async () => {
    const { token } = await world.a.newUser(["member"]);
    expect((await world.send("GET", "/api/v1/roles", { token })).status).toBe(403);
  });
});

describe("S9 the status of a user", () => {
  it("is changed only by who could take the roles away", async () => {
    const second = await world.a.newUser(["owner"]);
    const { token } = world.a.actors.admin;
    const before = await recordsOf(world.a);
    for (const body of [{ status: "disabled" }, { status: "disabled", roles: ["owner"] }]) {
      const refused = await patch(second.userId, body, token);
      expect([refused.status, refused.json.role]).toEqual([403, "owner"]);
    }
    expect(await recordsOf(world.a)).toEqual(before);
    expect((await patch(second.userId, { status: "active", name: "n" }, token)).status).toBe(200);
    expect((await patch(second.userId, { status: "disabled" })).status).toBe(200);
    expect((await patch(second.userId, { status: "active" }, token)).json.role).toBe("owner");
    expect((await patch(second.userId, { status: "active" })).status).toBe(200);
  });

  it("of a user with other roles is changed by an admin", async () => {
    const { userId } = await world.a.newUser(["operator"]);
    for (const status of ["disabled", "active"])
      expect((await patch(userId, { status }, world.a.actors.admin.token)).status).toBe(200);
  });
});

describe("users", () => {
  it("are unique by name within their tenant, whatever the spelling", async () => {
    const { owner, actors } = world.a;
    for (const username of [actors.member.username, owner.username.toUpperCase()]) {
      const answer = await world.send("POST", "/api/v1/users", { ...asOwner(), body: { username } });
      expect(answer.json.code).toBe("already_exists");
    }
  });

  it("S8 may have a name that another tenant has, which tells nobody of it", async () => {
    const body = { username: world.b.owner.username };
    const answer = await world.send("POST", "/api/v1/users", { ...asOwner(), body });
    expect(answer.status).toBe(201);
    const theirs = { token: world.b.owner.token };
    expect((await world.send("GET", `/api/v1/users/${answer.json.id}`, theirs)).status).toBe(404);
    expect((await world.send("GET", `/api/v1/users/${world.b.owner.userId}`, theirs)).json.status).toBe("active");
  });

  it("without a password are invited, cannot be activated, and can be disabled", async () => {
    const { json } = await world.send("POST", "/api/v1/users", { ...asOwner(), body: { username: "i@example.test" } });
    expect(json).toMatchObject({ status: "invited", roles: ["member"] });
    const activated = await patch(json.id, { status: "active" });
    expect(activated.json).toMatchObject({
      code: "transition_guard_failed",
      guards: [{ key: "passwordSet", ok: false }],
    });
    expect((await patch(json.id, { status: "disabled" })).json.status).toBe("disabled");
    const invited = await world.send("GET", "/api/v1/users?status=disabled", asOwner());
    expect(invited.json.items.map(({ id }: { id: string }) => id)).toEqual([json.id]);
  });

  it("are read as they were stored, and their metadata merges", async () => {
    const id = world.a.actors.member.userId;
    expect((await patch(id, { metadata: { note: null, x: 1 } })).json.metadata).toEqual({ x: 1 });
    expect((await patch(id, { metadata: {} })).json.version).toBe(2);
  });
});

describe("a refused write", () => {
  const denied = (before: number) => eventTypes(world.a, before);

  it.each<[string, number, (id: string) => Promise<{ status: number }>]>([
    ["403", 403, (id) => world.send("DELETE", `/api/v1/ai-assets/${id}`, { token: world.a.actors.auditor.token })],
    ["404", 404, () => world.send("DELETE", "/api/v1/ai-assets/ast_00000000000000000000000000", asOwner())],
    [
      "409",
      409,
      (id) =>
        world.send("PATCH", `/api/v1/ai-assets/${id}/lifecycle`, { ...asOwner(), body: { status: "deprecated" } }),
    ],
  ])("of %s leaves one event with the outcome denied, and nothing else", async (_status, status, act) => {
    const id = await world.a.newAsset();
    const [records, before] = [await recordsOf(world.a), (await eventTypes(world.a)).length];
    expect((await act(id)).status).toBe(status);
    expect(await denied(before)).toEqual(["request.denied"]);
    expect(await recordsOf(world.a)).toEqual(records);
    const { json } = await world.send("GET", "/api/v1/ai/activity?size=1", asOwner());
    expect(json.items[0]).toMatchObject({ outcome: "denied", severitytext: "WARN", data: { status } });
  });

  it.each<[string, () => Promise<{ status: number }>]>([
    ["a wrong body", () => world.send("POST", "/api/v1/ai-assets", { ...asOwner(), body: { environment: "nowhere" } })],
    ["a read", () => world.send("GET", "/api/v1/users", { token: world.a.actors.member.token })],
    ["no token", () => world.send("POST", "/api/v1/ai-assets", {})],
  ])("leaves none for %s", async (_what, act) => {
    const before = (await eventTypes(world.a)).length;
    expect((await act()).status).toBeGreaterThanOrEqual(400);
    expect(await denied(before)).toEqual([]);
  });
});
