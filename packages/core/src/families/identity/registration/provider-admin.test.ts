import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createControlPlane } from "#control-plane/create.js";
import { tenants } from "#families/platform/index.js";
import { createMemoryStore } from "#store/memory/memory-store.js";
import { users } from "../users/schema.js";
import { providerAdminFault } from "./provider-admin.js";

const admin = { username: "root@provider.example", password: "quiet harbour at four" };

function start() {
  const store = createMemoryStore();
  const controlPlane = createControlPlane({
    store,
    masterKey: randomBytes(32),
    baseUrl: "http://127.0.0.1:4000",
    registration: "open",
  });
  return { store, controlPlane };
}

const signIn = ({ controlPlane }: ReturnType<typeof start>, { username, password }: typeof admin) =>
  controlPlane.call("auth.signIn", undefined, { body: { username, password } });

const named = ({ store }: ReturnType<typeof start>, username: string) =>
  store.platform.lookupAll(users, "username", { username }, 2);

describe("the provider's administrator", () => {
  it("is made once, as administrator of a tenant that nobody can register", async () => {
    const reeve = start();
    expect(await reeve.controlPlane.ensureProviderAdmin(admin)).toBe("created");
    expect(await reeve.controlPlane.ensureProviderAdmin({ ...admin, password: "another fine passphrase" })).toBe(
      "present",
    );
    const { user } = await signIn(reeve, admin);
    expect(user.roles).toEqual(["provider_admin"]);
    const [row] = await named(reeve, admin.username);
    const tenant = await reeve.store.platform.lookup(tenants, "subdomain", { subdomain: "provider" });
    expect(row?.tenantId).toBe(tenant?.id);
    const body = {
      organization: "Imposter",
      username: "eve@imposter.example",
      password: "quiet harbour at five",
      subdomain: "provider",
    };
    await expect(reeve.controlPlane.call("registration.register", undefined, { body })).rejects.toMatchObject({
      code: "already_exists",
    });
  });

  it("joins the tenant that is there under another name", async () => {
    const reeve = start();
    await reeve.controlPlane.ensureProviderAdmin(admin);
    expect(await reeve.controlPlane.ensureProviderAdmin({ ...admin, username: "second@provider.example" })).toBe(
      "created",
    );
    const [second] = await named(reeve, "second@provider.example");
    const [first] = await named(reeve, admin.username);
    expect(second?.tenantId).toBe(first?.tenantId);
  });

  it("is made once by processes that start together", async () => {
    const reeve = start();
    const both = await Promise.all([1, 2].map(() => reeve.controlPlane.ensureProviderAdmin(admin)));
    expect(both.sort()).toEqual(["created", "present"]);
  });

  it("is another account than one of the same name in another tenant", async () => {
    const reeve = start();
    const squatter = { username: admin.username, password: "violet tram at noon" };
    await reeve.controlPlane.call("registration.register", undefined, { body: { organization: "Acme", ...squatter } });
    expect(await reeve.controlPlane.ensureProviderAdmin(admin)).toBe("created");
    expect((await signIn(reeve, admin)).user.roles).toEqual(["provider_admin"]);
    expect((await signIn(reeve, squatter)).user.roles).toEqual(["owner"]);
  });

  it("needs an e-mail address and a password that meets the rules", async () => {
    expect(providerAdminFault(admin, 15)).toBeUndefined();
    expect(providerAdminFault({ ...admin, username: "root" }, 15)).toMatch("e-mail");
    expect(providerAdminFault({ ...admin, password: "too short" }, 15)).toMatch("15");
    await expect(start().controlPlane.ensureProviderAdmin({ ...admin, password: "short" })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});
