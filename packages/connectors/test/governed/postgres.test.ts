import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connector, startTarget, type Target } from "../postgres/target.js";
import { governed, grantsAndRevokes, REASON } from "./bench.js";

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

  it("is for a role that was declared by its name, and one that is not there is refused", async () => {
    await target.sql("CREATE TABLE named (id int); CREATE ROLE svc_named LOGIN");
    const wanted = {
      connector,
      configuration: target.config,
      ...{ resourceType: "table", resource: await target.oid("table", "named"), profile: "table.read" },
    };
    const declare = (externalId: string) => governed({ ...wanted, principal: { type: "service_account", externalId } });
    await expect(declare("svc_name")).rejects.toThrow(/principal_not_found.*"displayName":"svc_named"/s);
    const one = await declare("svc_named");
    const has = async () => {
      const [row] = await target.sql("SELECT has_table_privilege('svc_named', 'named', 'SELECT') AS has");
      return row?.has === true;
    };
    await grantsAndRevokes(one, has, () => target.sql("REVOKE SELECT ON named FROM svc_named"));
  });

  it("that drifts by hand is found and put right", async () => {
    await target.sql("CREATE TABLE drifting (id int); CREATE TABLE other (id int); CREATE ROLE svc_drift LOGIN");
    const one = await governed({
      connector,
      configuration: target.config,
      ...{ resourceType: "table", resource: await target.oid("table", "drifting"), profile: "table.read" },
      principal: { type: "service_account", externalId: await target.oid("role", "svc_drift") },
    });
    const may = async (table: string, privilege: string) => {
      const [row] = await target.sql(`SELECT has_table_privilege('svc_drift', '${table}', '${privilege}') AS has`);
      return row?.has === true;
    };
    await one.act("repair", { ...REASON, action: "grant" });
    await one.tick();
    expect(await may("drifting", "SELECT")).toBe(true);
    expect(await one.compare()).toMatchObject({ scan: { status: "complete", coverage: "listing" }, drift: [] });

    await target.sql("REVOKE SELECT ON drifting FROM svc_drift; GRANT SELECT ON other TO svc_drift");
    const { scan, drift } = await one.compare();
    expect(scan).toMatchObject({ status: "complete", counts: { missing: 1, confirmed: 2 } });
    const of = (kind: string) => drift.find((each) => each.kind === kind);
    expect([of("missing_in_target")?.status, of("unmanaged_in_target")?.status]).toEqual(["open", "open"]);
    expect((await one.repairDrift(of("missing_in_target")?.id, { ...REASON, action: "grant" })).status).toBe(200);
    expect((await one.repairDrift(of("unmanaged_in_target")?.id, { ...REASON, action: "revoke" })).status).toBe(200);
    await one.tick();
    expect([await may("drifting", "SELECT"), await may("other", "SELECT")]).toEqual([true, false]);
    expect((await one.compare()).drift).toEqual([]);

    await target.sql("ALTER ROLE svc_drift NOLOGIN");
    expect((await one.compare()).drift).toMatchObject([{ kind: "principal_changed" }]);
  });
});
