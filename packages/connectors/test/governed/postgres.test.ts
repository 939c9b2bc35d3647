import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connector, startTarget, type Target } from "../postgres/target.js";
import { governed, grantsAndRevokes } from "./bench.js";

let target: Target;
beforeAll(async () => {
  target = await startTarget();
  await target.sql("CREATE TABLE orders (id int); CREATE ROLE svc_claims LOGIN");
});
afterAll(() => target.stop());

describe("access to a real PostgreSQL server", () => {
  it("is granted, seen when it is lost, repaired, and revoked when the server has confirmed it", async () => {
    const one = await governed({
      connector,
      configuration: target.config,
      ...{ resourceType: "table", resource: await target.oid("table", "orders"), profile: "table.read" },
      principal: { type: "service_account", externalId: await target.oid("role", "svc_claims") },
    });
    const has = async () => {
      const [row] = await target.sql("SELECT has_table_privilege('svc_claims', 'orders', 'SELECT') AS has");
      return row?.has === true;
    };
    await grantsAndRevokes(one, has, () => target.sql("REVOKE SELECT ON orders FROM svc_claims"));
    expect(await has()).toBe(false);
  });
});
