import { createPlane, type Scene, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { HostPrincipal } from "../../../src/index.js";
import { createWorld } from "../../helpers/world.js";

let plane: World;
let a: Scene;
let b: Scene;
let signedIn: HostPrincipal | undefined;
beforeEach(async () => {
  signedIn = undefined;
  plane = await createWorld({ authenticate: async () => signedIn });
  ({ a, b } = plane);
});

const hosted = (principal: unknown, method = "GET", target = "/api/v1/ai-assets", more: object = {}) => {
  signedIn = principal as HostPrincipal;
  return plane.send(method, target, more).finally(() => {
    signedIn = undefined;
  });
};
const make = (principal: unknown) => hosted(principal, "POST", "/api/v1/ai-assets", { body: {} });

describe("whom the host has signed in", () => {
  it("is a user of Reeve with the roles the user has here", async () => {
    const { userId } = a.actors.operator;
    const made = await make({ tenantId: a.tenantId, userId });
    expect([made.status, made.json.createdBy]).toEqual([201, userId]);
    const refused = await hosted({ tenantId: a.tenantId, userId }, "POST", "/api/v1/users", { body: {} });
    expect(refused.json.code).toBe("permission_denied");
    expect((await make({ tenantId: a.tenantId, userId: a.actors.auditor.userId })).status).toBe(403);
  });

  it("has the roles the host names, for this request only", async () => {
    const { userId } = a.actors.auditor;
    const made = await make({ tenantId: a.tenantId, userId, roles: ["operator"] });
    expect([made.status, made.json.createdBy]).toEqual([201, userId]);
    expect((await make({ tenantId: a.tenantId, userId })).status).toBe(403);
    expect((await make({ tenantId: a.tenantId, userId, roles: ["made-up"] })).status).toBe(403);
  });

  it("need not be a user of Reeve when the host names roles, and stands in the audit trail", async () => {
    const stranger = { tenantId: a.tenantId, userId: "employee-7", username: "eve@corp.example", roles: ["operator"] };
    const made = await make(stranger);
    expect(made.json.createdBy).toBe("employee-7");
    const { items } = (await hosted({ ...stranger, roles: ["auditor"] }, "GET", "/api/v1/ai/activity?size=1")).json;
    expect(JSON.stringify(items)).toContain("employee-7");
  });

  it("S1 a role name with a space holds nothing, whatever colleagues hold the two roles together", async () => {
    const colleague = { tenantId: a.tenantId, userId: "employee-7", username: "eve@corp.example" };
    const list = async (roles: string[]) => (await hosted({ ...colleague, roles }, "GET", "/api/v1/users")).status;
    expect(await list(["governance_officer", "operator"])).toBe(200);
    expect(await list(["governance_officer operator"])).toBe(403);
    expect(await list(["auditor admin"])).toBe(403);
    expect(await list(["auditor", "admin"])).toBe(200);
  });

  it("sees one tenant, and comes before the bearer", async () => {
    const asset = await b.newAsset();
    const { userId } = a.owner;
    const read = await hosted({ tenantId: a.tenantId, userId }, "GET", `/api/v1/ai-assets/${asset}`, {
      token: b.owner.token,
    });
    expect(read.status).toBe(404);
    expect((await plane.send("GET", `/api/v1/ai-assets/${asset}`, { token: b.owner.token })).status).toBe(200);
    expect((await plane.send("GET", "/api/v1/ai-assets")).json.code).toBe("token_missing");
  });

  it.each<[string, () => unknown]>([
    ["an unknown user of Reeve's shape", () => ({ tenantId: a.tenantId, userId: a.owner.userId.replace(/.$/, "Z") })],
    ["another tenant's user", () => ({ tenantId: a.tenantId, userId: b.owner.userId })],
    ["another tenant's user with roles", () => ({ tenantId: a.tenantId, userId: b.owner.userId, roles: ["owner"] })],
    ["a tenant that never was", () => ({ tenantId: "tnt_none", userId: "x", username: "x", roles: ["owner"] })],
  ])("is refused: %s", async (_what, principal) => {
    expect((await hosted(principal())).status).toBe(401);
  });

  it("is refused once the user is disabled here, whatever the host says", async () => {
    const { userId } = await a.newUser(["operator"]);
    await plane.send("PATCH", `/api/v1/users/${userId}`, { token: a.owner.token, body: { status: "disabled" } });
    for (const roles of [undefined, ["owner"]])
      expect((await hosted({ tenantId: a.tenantId, userId, ...(roles ? { roles } : {}) })).status).toBe(401);
  });

  it.each<[string, () => unknown]>([
    ["no tenant", () => ({ userId: "x", roles: ["owner"], username: "x" })],
    ["no user", () => ({ tenantId: a.tenantId, roles: ["owner"], username: "x" })],
    ["a stranger without roles", () => ({ tenantId: a.tenantId, userId: "x", username: "x" })],
    ["a stranger without a name", () => ({ tenantId: a.tenantId, userId: "x", roles: ["owner"] })],
    ["roles that are no list", () => ({ tenantId: a.tenantId, userId: "x", username: "x", roles: "owner" })],
    ["roles that are no texts", () => ({ tenantId: a.tenantId, userId: "x", username: "x", roles: [7] })],
  ])("is nobody, and the host's mistake a 500: %s", async (_what, principal) => {
    const { status, json, text } = await hosted(principal());
    expect([status, json.code, text.includes("TypeError")]).toEqual([500, "internal", false]);
  });

  it("is asked for at no public operation", async () => {
    let asked = 0;
    const counting = createPlane({
      store: plane.store,
      authenticate: () => {
        asked += 1;
        return undefined;
      },
    });
    expect((await counting.send("GET", "/api/v1/monitor/ping")).status).toBe(200);
    expect([(await counting.send("GET", "/api/v1/ai-assets")).status, asked]).toEqual([401, 1]);
  });
});
