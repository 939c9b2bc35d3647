import { createPlane, type Scene, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { HostPrincipal } from "../../../src/index.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

let plane: World;
let a: Scene;
let signedIn: HostPrincipal | undefined;
beforeEach(async () => {
  signedIn = undefined;
  plane = await createWorld({
    authenticate: () => signedIn,
    roleMap: { "CN=AI Admins,OU=Groups": ["admin"], engineers: ["operator", "auditor"] },
  });
  ({ a } = plane);
});

const send = async (person: HostPrincipal, method: string, target: string, body?: object) => {
  signedIn = person;
  const answer = await plane.send(method, target, body ? { body } : {});
  signedIn = undefined;
  return answer;
};

describe("a tenant of the host's", () => {
  it("is made once for its external id, with registration closed, and is ready to work in", async () => {
    const closed = createPlane({ store: await emptyStore(), registration: "closed", authenticate: () => signedIn });
    const { controlPlane } = closed;
    const first = await controlPlane.ensureTenant({ externalId: "org-42", name: "Acme Ltd" });
    expect(first).toEqual({ tenantId: expect.stringMatching(/^tnt_/), created: true });
    const again = await controlPlane.ensureTenant({ externalId: "org-42", name: "Another name" });
    expect(again).toEqual({ tenantId: first.tenantId, created: false });
    expect((await controlPlane.ensureTenant({ externalId: "org-43", name: "Acme Ltd" })).tenantId).not.toBe(
      first.tenantId,
    );
    signedIn = { tenantId: first.tenantId, userId: "emp-1", username: "ada@acme.example", roles: ["owner"] };
    const made = await closed.send("POST", "/api/v1/ai-assets", { body: { name: "mine" } });
    expect([made.status, made.json.createdBy]).toEqual([201, "emp-1"]);
    expect((await closed.send("GET", "/api/v1/users")).json.items, "nobody has a password here").toEqual([]);
  });

  it("is made once by many who ask at the same time", async () => {
    const given = { externalId: "org-7", name: "Seven" };
    const all = await Promise.all(Array.from({ length: 8 }, () => plane.controlPlane.ensureTenant(given)));
    expect(new Set(all.map(({ tenantId }) => tenantId)).size).toBe(1);
    expect(all.filter(({ created }) => created)).toHaveLength(1);
  });

  it("takes a subdomain that is free, and no other", async () => {
    const { controlPlane } = plane;
    const { tenantId } = await controlPlane.ensureTenant({ externalId: "org-8", name: "Eight", subdomain: "eight" });
    await expect(
      controlPlane.ensureTenant({ externalId: "org-9", name: "Nine", subdomain: "eight" }),
    ).rejects.toMatchObject({ code: "already_exists" });
    expect((await controlPlane.ensureTenant({ externalId: "org-8", name: "Eight" })).tenantId).toBe(tenantId);
  });

  it.each([
    [{ externalId: "", name: "x" }],
    [{ externalId: "x".repeat(255), name: "x" }],
    [{ externalId: "x", name: "" }],
    [{ externalId: "x", name: "x", subdomain: "Not A Label" }],
    [{ externalId: "x", name: "x", subdomain: "www" }],
    [{ externalId: 7, name: "x" }],
    [{ name: "x" }],
  ])("is refused: %j", async (given) => {
    await expect(plane.controlPlane.ensureTenant(given as never)).rejects.toMatchObject({ name: "ReeveError" });
  });
});

describe("names that the host gives for roles", () => {
  const person = (...roles: string[]) => ({ tenantId: a.tenantId, userId: "emp-1", username: "ada", roles });

  it("stand for the roles of the map, several for one name", async () => {
    expect((await send(person("CN=AI Admins,OU=Groups"), "GET", "/api/v1/users")).status).toBe(200);
    expect((await send(person("engineers"), "POST", "/api/v1/ai-assets", { name: "x" })).status).toBe(201);
    const principal = await plane.controlPlane.principalOf(person("engineers", "engineers"));
    expect(principal.roles).toEqual(["operator", "auditor"]);
  });

  it("stand for nothing where the map leaves them out, though they are names of roles", async () => {
    for (const name of ["owner", "operator", "constructor", "__proto__", "cn=ai admins,ou=groups"]) {
      const refused = await send(person(name), "GET", "/api/v1/ai-assets");
      expect([name, refused.status]).toEqual([name, 403]);
    }
  });
});

describe("principalOf", () => {
  it("gives whom the host has signed in, for calls in process", async () => {
    const { controlPlane } = plane;
    const principal = await controlPlane.principalOf({
      tenantId: a.tenantId,
      userId: "emp-9",
      username: "eve@corp.example",
      roles: ["engineers"],
    });
    const made = await controlPlane.call("aiAssets.create", principal, { body: { name: "in process" } });
    expect(made.createdBy).toBe("emp-9");
    await expect(controlPlane.principalOf({ tenantId: a.tenantId, userId: "emp-9" })).rejects.toThrow("authenticate:");
    expect((await controlPlane.principalOf({ tenantId: a.tenantId, userId: a.owner.userId })).userId).toBe(
      a.owner.userId,
    );
  });
});
