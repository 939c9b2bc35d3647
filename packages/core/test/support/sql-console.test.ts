import { createPlane, createWorld } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/index.js";

// Stores that have a console have their own tests. These are for a store without one.
const PROVIDER = { username: "support@provider.test", password: "the pass phrase of the provider 1" };
const body = { configuration: { statement: "select 1" }, reason: "looking into a report" };

async function ask(sqlConsole: boolean) {
  const plane = createPlane({ sqlConsole, store: createMemoryStore() });
  await plane.controlPlane.ensureProviderAdmin(PROVIDER);
  const { token } = (await plane.send("POST", "/api/v1/auth/signin", { body: PROVIDER })).json;
  return plane.send("POST", "/api/v1/support/sql", { token, body });
}

describe("the SQL console", () => {
  it("is off unless the host switches it on", async () => {
    const answer = await ask(false);
    expect([answer.status, answer.json.code]).toEqual([501, "not_configured"]);
    expect(answer.json.detail).toContain("switched off");
  });

  it("answers as the provider's setting says, whatever the host's option", async () => {
    const world = await createWorld({ sqlConsole: true });
    const { token } = world.provider.owner;
    const set = (value: boolean) =>
      world.send("POST", "/api/v1/support/config/support.sqlConsole", {
        token,
        body: { configuration: { value }, reason: "asked for by the people who run it" },
      });
    const detail = async () => (await world.send("POST", "/api/v1/support/sql", { token, body })).json.detail;
    expect(await detail()).toContain("store");
    await set(false);
    expect(await detail()).toContain("switched off");
    await set(true);
    expect(await detail()).toContain("store");
  });

  it("is not there on a store without SQL", async () => {
    const answer = await ask(true);
    expect([answer.status, answer.json.code]).toEqual([501, "not_configured"]);
    expect(answer.json.detail).toContain("store");
  });

  it("is nobody's in a tenant, and no owner can make it somebody's", async () => {
    const { a } = await createWorld({ sqlConsole: true });
    const { token } = a.owner;
    expect((await a.send("POST", "/api/v1/support/sql", { token, body })).json.code).toBe("provider_policy");
    const user = { username: `${a.unique()}@example.test`, roles: ["provider_admin"] };
    expect((await a.send("POST", "/api/v1/users", { token, body: user })).status).toBe(400);
  });
});
