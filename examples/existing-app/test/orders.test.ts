import { createControlPlane, createMemoryStore } from "@reeve/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqlite } from "../src/database.js";
import type { RunningHost } from "../src/host.js";
import { startFastify } from "../src/hosts/fastify.js";
import { shopOn } from "../src/shop.js";
import { createTables } from "../src/tables.js";

// Tests as the shop would write them: a database in memory, and Reeve on the memory store.
const database = openSqlite(":memory:");
const controlPlane = createControlPlane({
  store: createMemoryStore(),
  masterKey: crypto.getRandomValues(new Uint8Array(32)),
  baseUrl: "https://shop.example/governance",
  registration: "open",
});
let host: RunningHost;

beforeAll(async () => {
  await createTables(database);
  const governance = { controlPlane, prefix: "/governance", when: "last" } as const;
  host = await startFastify({ shop: shopOn(database), withUsers: true, governance });
});

afterAll(async () => {
  await host.close();
  await controlPlane.close();
  await database.close();
});

describe("the shop", () => {
  it("takes an order", async () => {
    const headers = { "content-type": "application/json" };
    const made = await fetch(`${host.url}/api/v1/orders`, { method: "POST", headers, body: '{"item":"tea"}' });
    expect([made.status, await made.json()]).toEqual([201, { id: 41, item: "tea", status: "open" }]);
  });

  it("asks Reeve in process, and shows the same over HTTP", async () => {
    const account = { username: "ada@acme.example", password: "violet tram at noon" };
    const body = { organization: "Acme", ...account };
    const { tenantId, userId } = await controlPlane.call("registration.register", undefined, { body });
    const ada = await controlPlane.principalOf(tenantId, userId);
    const { id } = await controlPlane.call("aiAssets.create", ada, { body: { environment: "production" } });
    const effective = await controlPlane.call("aiAssets.effective", ada, { params: { id } });
    expect(effective).toMatchObject({ decision: "deny" });
    expect((await fetch(`${host.url}/governance/api/v1/ai-assets/${id}`)).status).toBe(401);
  });
});
