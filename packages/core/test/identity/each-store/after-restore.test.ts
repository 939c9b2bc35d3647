import { generateKeyPairSync } from "node:crypto";
import { copyWorld, type World } from "@reeve/testkit";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { collections } from "#reference/index.js";
import { toolBench } from "../../helpers/agent-tools.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const statusOf = async (token: string) => (await world.send("GET", "/api/v1/ai-assets", { token })).status;
const grant = (body: object) => world.send("POST", "/api/v1/auth/token", { body });
const rowsOf = async (tenantId: string, name: string) => {
  const collection = collections.find((one) => one.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  return (await world.store.forTenant(tenantId).scan(collection, { size: 1_000 })).length;
};

/** An AI identity with a key, and an assertion of it. */
async function machine() {
  const id = await world.a.newIdentity({ scopes: ["ai-asset:read"] });
  await world.a.newCredential(id, { publicJwk: { ...publicKey.export({ format: "jwk" }), alg: "ES256" } });
  let count = 0;
  const asserted = () => {
    count += 1;
    const iat = Math.floor(world.clock.now() / 1_000);
    const claims = { iss: id, sub: id, aud: "https://reeve.example", iat, exp: iat + 300, jti: `once-${count}` };
    return new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
  };
  const present = (client_assertion: string) =>
    grant({
      ...{ grant_type: "client_credentials", client_assertion },
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    });
  return { asserted, present };
}

describe("K6 after a restore", () => {
  it("nothing from before signs in, in any tenant, and everybody can sign in anew", async () => {
    const people = [world.a.owner, world.b.owner, world.provider.owner];
    const tools = await toolBench(world);
    const { token: toolToken } = await tools.issue();
    await world.controlPlane.afterRestore();
    world.clock.advance(5_000);
    for (const { token, refreshToken } of people) {
      expect(await statusOf(token)).toBe(401);
      const refresh = await grant({ grant_type: "refresh_token", refresh_token: refreshToken });
      expect(refresh).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    }
    expect((await tools.run(toolToken)).status).toBe(401);
    const { username, password } = world.a.owner;
    const again = await world.send("POST", "/api/v1/auth/signin", { body: { username, password } });
    expect(again.status, again.text).toBe(200);
    expect(await statusOf(again.json.accessToken ?? again.json.token)).toBe(200);
  });

  it("an assertion from before is refused, though nobody knows that it was used, and one from after is not", async () => {
    const { asserted, present } = await machine();
    const before = await asserted();
    world.clock.advance(10_000);
    await world.controlPlane.afterRestore();
    expect(await present(before)).toMatchObject({ status: 401, json: { error: "invalid_client" } });
    world.clock.advance(5_000);
    expect((await present(await asserted())).status).toBe(200);
  });

  it("codes and links are gone, with an event that tells when, and a second time does no harm", async () => {
    await world.send("POST", "/api/v1/users", {
      token: world.a.owner.token,
      body: { username: `${world.a.unique()}@a.example`, name: "Invited", roles: ["auditor"] },
    });
    const reported: object[] = [];
    const done = await world.controlPlane.afterRestore((progress) => reported.push(progress));
    expect(done.ended).toBeGreaterThan(0);
    expect(reported.at(-1)).toEqual(done);
    for (const name of ["refresh_tokens", "one_time_codes", "address_proofs", "password_links", "saml_nonces"])
      for (const { tenantId } of [world.a, world.b, world.provider]) expect(await rowsOf(tenantId, name), name).toBe(0);
    const { ended } = await world.controlPlane.afterRestore();
    expect(ended).toBeLessThan(done.ended);
    const events = await eventsOf({ store: world.store, tenantId: "platform" });
    expect(events.filter(({ attributes }) => attributes.includes("platform.restored"))).toHaveLength(2);
    expect((await world.controlPlane.verifyEvents()).faults).toEqual([]);
  });

  it.skipIf(["memory", undefined].includes(inject("store")))(
    "of a database that is marked as restored, a control plane is ready once that is done, and not before",
    async () => {
      await world.store.markRestored?.(true);
      await world.store.markRestored?.(true);
      const restored = copyWorld(world, { store: world.store }).controlPlane;
      await expect(restored.ready()).rejects.toMatchObject({ code: "schema", message: /after-restore/ });
      const { username, password } = world.a.owner;
      const signIn = () => restored.call("auth.signIn", undefined, { body: { username, password } });
      await expect(signIn()).rejects.toMatchObject({ code: "schema" });
      expect((await restored.verifyEvents()).faults).toEqual([]);
      await restored.afterRestore();
      expect(await world.store.status()).not.toHaveProperty("restored");
      await restored.ready();
      expect(await signIn()).toHaveProperty("token");
    },
  );
});
