const { randomBytes } = require("node:crypto");
const { once } = require("node:events");
const { afterAll, beforeAll, describe, expect, test } = require("@jest/globals");
const { reeve } = require("@reeve/adapter-express");
const { createControlPlane, createMemoryStore, ReeveError } = require("@reeve/core");
const { manualClock } = require("@reeve/core/testing");
const express = require("express");

const owner = { username: "ada@acme.example", password: "violet tram at noon" };
const clock = manualClock("2026-11-21T10:00:00.000Z");
const controlPlane = createControlPlane({
  store: createMemoryStore(),
  masterKey: randomBytes(32),
  baseUrl: "http://shop.example/governance",
  registration: "open",
  clock,
});

/** @type {import("node:http").Server} */
let server;
/** @type {Awaited<ReturnType<typeof controlPlane.principalOf>>} */
let ada;

beforeAll(async () => {
  const body = { organization: "Acme", ...owner };
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, { body });
  ada = await controlPlane.principalOf(tenantId, userId);
  const app = express();
  app.use("/governance", reeve(controlPlane));
  app.get("/orders", (_request, response) => void response.json({ orders: [] }));
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(async () => {
  server.close();
  await controlPlane.close();
});

/** @param {string} method @param {string} path @param {{ token?: string, body?: object }} [more] */
async function ask(method, path, { token, body } = {}) {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const json = /** @type {any} */ (await answer.json());
  return { status: answer.status, json };
}

describe("the shop under Jest, with require()", () => {
  test("signs in, and is known by its token", async () => {
    expect((await ask("GET", "/governance/api/v1/ai-assets")).status).toBe(401);
    const signedIn = await ask("POST", "/governance/api/v1/auth/signin", { body: owner });
    expect(signedIn.status).toBe(200);
    const { token } = signedIn.json;
    const asset = { name: "Support agent", assetType: "agent" };
    expect((await ask("POST", "/governance/api/v1/ai-assets", { token, body: asset })).status).toBe(201);
    const list = await ask("GET", "/governance/api/v1/ai-assets", { token });
    expect(list.json).toMatchObject({ totalItems: 1, items: [asset] });
  });

  test("refuses a token that is old, and one of somebody else", async () => {
    const { token } = (await ask("POST", "/governance/api/v1/auth/signin", { body: owner })).json;
    const [head, payload] = token.split(".");
    const forged = `${head}.${payload}.${"A".repeat(86)}`;
    expect((await ask("GET", "/governance/api/v1/ai-assets", { token: forged })).status).toBe(401);
    clock.advance(24 * 3_600_000);
    expect((await ask("GET", "/governance/api/v1/ai-assets", { token })).status).toBe(401);
  });

  test("keeps its own routes", async () => {
    expect(await ask("GET", "/orders")).toEqual({ status: 200, json: { orders: [] } });
  });

  test("decides by a policy in CEL", async () => {
    const { id } = await controlPlane.call("aiPolicies.create", ada, {
      body: {
        key: "no-drops",
        name: "Nobody drops a table",
        rules: [
          { key: "drops", effect: "deny", if: 'action.name == "drop"', message: "Tables stay." },
          { key: "looks", effect: "allow", if: 'action.name.startsWith("look")', message: "Looking is free." },
        ],
        tests: [
          { name: "a drop", input: { action: { name: "drop" } }, expect: "deny" },
          { name: "a look", input: { action: { name: "look" } }, expect: "allow" },
        ],
      },
    });
    // A policy that denies is put in force by a four-eyes approver.
    const { id: userId } = await controlPlane.call("users.create", ada, {
      body: { username: "grace@acme.example", password: "orange ferry at dawn", roles: ["admin"] },
    });
    const grace = await controlPlane.principalOf(ada.tenantId, userId);
    await controlPlane.call("aiPolicies.replace", grace, { params: { id }, body: { status: "active" } });
    /** @param {string} name */
    const decide = async (name) => {
      const subject = { type: "user", id: "nina" };
      const { status, context } = await controlPlane.decide(ada, {
        subject,
        action: { name },
        resource: { type: "table", id: "orders" },
      });
      return [status, ...(context?.reasons ?? []).map(({ ruleKey }) => ruleKey)];
    };
    expect(await decide("drop")).toEqual(["deny", "drops"]);
    expect(await decide("look around")).toEqual(["allow", "looks"]);
  });

  test("knows a refusal of Reeve's", async () => {
    const missing = controlPlane.call("aiAssets.read", ada, { params: { id: "ast_nobody" } });
    const refusal = await missing.catch((error) => error);
    expect(ReeveError.is(refusal)).toBe(true);
    expect(refusal.code).toBe("not_found");
  });
});
