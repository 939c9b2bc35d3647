import type { Scene, World } from "@reeve/testkit";
import type { JWTPayload } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { Issuer } from "../../helpers/issuer.js";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const AUDIENCE = "https://reeve.example/api";

let issuer: Issuer;
let plane: World;
let a: Scene;

describe("an issuer of one tenant that makes users", () => {
  beforeEach(async () => {
    issuer = await Issuer.start();
    // Worlds are copies of one, with the same ids.
    const { tenantId } = (await createWorld()).a;
    const names = { usernameClaim: "email", subjectClaim: "oid", nameClaim: "name" };
    const trusted = { issuer: issuer.url, audience: AUDIENCE, tenant: tenantId, ...names, newUserRoles: ["operator"] };
    plane = await createWorld({ trustedIssuers: [trusted], egressAllow: ["127.0.0.1"] });
    a = plane.a;
  });
  const newcomer = (more: JWTPayload = {}) => {
    const now = Math.floor(plane.clock.now() / 1_000);
    const times = { iss: issuer.url, aud: AUDIENCE, sub: "somebody there", iat: now, exp: now + 600 };
    const person = { oid: "9", name: "Grace", email: "grace@acme.test", email_verified: true };
    return issuer.sign({ ...times, org: plane.b.tenantId, ...person, ...more });
  };
  const ask = (token: string) => plane.send("GET", "/api/v1/ai-assets", { token });
  const status = async (token: string) => (await ask(token)).status;
  const named = async (search: string) =>
    (await plane.send("GET", "/api/v1/users?size=100", { token: a.owner.token })).json.items.filter(
      ({ username }: { username: string }) => username === search,
    );

  it("makes one of racing requests, in its tenant, whatever tenant the token names", async () => {
    const all = await Promise.all(
      Array.from({ length: 6 }, async (_none, n) => status(await newcomer({ jti: `${n}` }))),
    );
    expect(all).toEqual(Array(6).fill(200));
    const made = await named("grace@acme.test");
    expect(made).toMatchObject([{ name: "Grace", roles: ["operator"], status: "active" }]);
    // The claim of the issuer counts as the id, and not `sub`, which may change.
    expect(await status(await newcomer({ sub: "another", email: "married@acme.test" }))).toBe(200);
    expect(await named("married@acme.test")).toEqual([]);
    const body = { status: "disabled" };
    await plane.send("PATCH", `/api/v1/users/${made[0].id}`, { token: a.owner.token, body });
    expect(await status(await newcomer())).toBe(401);
  });

  it("makes none of an address that is not verified or is none, and none that the tenant has no room for", async () => {
    expect(await status(await newcomer({ email_verified: false }))).toBe(401);
    expect(await status(await newcomer({ email: "no address" }))).toBe(401);
    expect(await status(await newcomer({ oid: undefined }))).toBe(401);
    const { totalItems: value } = (await plane.send("GET", "/api/v1/users?size=1", { token: a.owner.token })).json;
    await providerOf(plane).post(`tenants/${a.tenantId}/entitlements/limit/users`, { configuration: { value } });
    const { json } = await ask(await newcomer());
    expect(json).toMatchObject({ code: "invalid_token", detail: "The tenant has no room for another user." });
    expect(await named("grace@acme.test")).toEqual([]);
  });
});
