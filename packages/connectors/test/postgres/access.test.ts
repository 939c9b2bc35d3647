import { listAll } from "@reeve/testkit/connectors";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { callsOf, grantsOf, shown, specOf, startTarget, type Target } from "./target.js";

let target: Target;
beforeAll(async () => {
  target = await startTarget();
  await target.sql(`REVOKE ALL ON DATABASE postgres FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM PUBLIC;
    CREATE SCHEMA sales; CREATE TABLE sales.orders (id int); CREATE VIEW sales.recent AS SELECT 1 AS id`);
});
afterAll(() => target.stop());

const ORDERS = ["table", "orders"] as const;

describe("identities of a PostgreSQL server", () => {
  it("are the roles that log in and fit the pattern, page by page", async () => {
    await target.sql(`CREATE ROLE svc_triage LOGIN; COMMENT ON ROLE svc_triage IS 'Reads claims.';
      CREATE ROLE svc_report LOGIN BYPASSRLS; CREATE ROLE svc_group; CREATE ROLE svcx LOGIN`);
    const calls = callsOf(target, { config: { identityRoles: "svc\\_%" } });
    const listed = await listAll((page) => calls.discoverAssets(page), 1);
    expect(listed).toMatchObject({
      complete: true,
      items: [
        {
          externalId: await target.oid("role", "svc_triage"),
          assetType: "identity",
          name: "svc_triage",
          description: "Reads claims.",
          metadata: { superuser: false, bypassRowSecurity: false },
          found: [{ location: "roles/svc_triage" }],
        },
        { name: "svc_report", metadata: { bypassRowSecurity: true } },
      ],
    });
    expect(listed.items).toHaveLength(2);
  });

  it("are not concluded from no pattern", async () => {
    expect(await callsOf(target).discoverAssets({ limit: 100 })).toMatchObject({ items: [], complete: false });
  });
});

describe("resources of a PostgreSQL database", () => {
  it("are its databases, schemas, tables and roles, each below what it lies in", async () => {
    const calls = callsOf(target);
    const [database, schemas, tables, roles] = await Promise.all(
      ["database", "schema", "table", "role"].map((type) => listAll((page) => calls.listResources(type, page))),
    );
    const schema = await target.oid("schema", "sales");
    expect(database?.items).toMatchObject([{ name: "postgres", externalId: await target.oid("database", "postgres") }]);
    expect(schemas?.items).toContainEqual(
      expect.objectContaining({
        externalId: schema,
        name: "sales",
        parent: { type: "database", externalId: database?.items[0]?.externalId },
      }),
    );
    expect(schemas?.items.filter(({ name }) => name.startsWith("pg_") || name === "information_schema")).toEqual([]);
    expect(tables?.items).toMatchObject([
      { name: "sales.orders", parent: { type: "schema", externalId: schema }, attributes: { kind: "table" } },
      { name: "sales.recent", attributes: { kind: "view" } },
    ]);
    expect(roles?.items).toContainEqual(
      expect.objectContaining({
        name: "postgres",
        sensitivity: "critical",
        attributes: expect.objectContaining({ superuser: true }),
      }),
    );
    expect([database, schemas, tables, roles].map((listed) => listed?.complete)).toEqual([true, true, true, true]);
  });

  it("are listed page by page, none twice and none left out", async () => {
    const calls = callsOf(target);
    const whole = await listAll((page) => calls.listResources("role", page));
    const parts = await listAll((page) => calls.listResources("role", page), 3);
    expect(parts.pages).toBeGreaterThan(3);
    expect(parts).toMatchObject({ items: whole.items, complete: true });
  });

  it("keep their ids and grants when they are renamed", async () => {
    await target.sql("CREATE TABLE before (id int); CREATE ROLE named_before; GRANT SELECT ON before TO named_before");
    const spec = await specOf(target, ["table", "before"], "read", "named_before");
    await target.sql("ALTER TABLE before RENAME TO after; ALTER ROLE named_before RENAME TO named_after");
    const calls = callsOf(target);
    expect(await calls.verify(spec)).toMatchObject({ presence: "present", authoritative: true });
    const { items } = await listAll((page) => calls.listResources("table", page));
    expect(items).toContainEqual(
      expect.objectContaining({ externalId: spec.resource.externalId, name: "public.after" }),
    );
    expect(await calls.revoke(spec)).toMatchObject({ outcome: "applied" });
    expect(await grantsOf(target, "named_after")).toEqual([]);
  });
});

describe("grants of a PostgreSQL database", () => {
  it("are added, seen, and removed, and really open and close the table", async () => {
    await target.sql(
      "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA sales TO reader; GRANT CONNECT ON DATABASE postgres TO reader",
    );
    const reads = () => asRole("reader", "SELECT * FROM sales.orders");
    const spec = await specOf(target, ORDERS, "read", "reader");
    const calls = callsOf(target);
    await expect(reads()).rejects.toMatchObject({ code: "42501" });

    expect(await calls.grant(spec)).toMatchObject({
      outcome: "applied",
      grant: { source: "direct", permissions: ["SELECT"] },
    });
    await expect(reads()).resolves.toEqual([]);
    expect(await calls.verify(spec)).toMatchObject({ presence: "present" });
    expect(await grantsOf(target, "reader")).toEqual([
      "database.connect: CONNECT",
      "schema.use: USAGE",
      "table.read: SELECT",
    ]);

    expect(await calls.revoke(spec)).toMatchObject({ outcome: "applied" });
    await expect(reads()).rejects.toMatchObject({ code: "42501" });
    expect(await calls.verify(spec)).toEqual({ presence: "absent", authoritative: true });
  });

  it.each([
    ["database", "postgres", "connect", "CONNECT"],
    ["database", "postgres", "temporary", "TEMPORARY"],
    ["database", "postgres", "create", "CREATE"],
    ["schema", "sales", "use", "USAGE"],
    ["schema", "sales", "create", "CREATE"],
    ["table", "orders", "read", "SELECT"],
    ["table", "orders", "write", "DELETE, INSERT, UPDATE"],
    ["table", "orders", "manage", "MAINTAIN, REFERENCES, TRIGGER, TRUNCATE"],
    ["table", "recent", "read", "SELECT"],
    ["role", "pg_monitor", "member", "MEMBER"],
    ["role", "pg_monitor", "administrator", "ADMIN, MEMBER"],
  ] as const)("on a %s, %s, as %s.%s: twice is once", async (kind, object, profile, permissions) => {
    const role = `twice_${object}_${profile}`;
    await target.sql(`CREATE ROLE ${role} NOINHERIT`);
    const spec = await specOf(target, [kind, object], profile, role);
    const calls = callsOf(target);
    const outcomes = [await calls.grant(spec), await calls.grant(spec)].map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["applied", "already_applied"]);
    const direct = async () => (await grantsOf(target, role)).filter((each) => !each.startsWith("inherited"));
    expect(await direct()).toEqual([`${kind}.${profile}: ${permissions}`]);
    expect([await calls.revoke(spec), await calls.revoke(spec)].map(({ outcome }) => outcome)).toEqual([
      "applied",
      "already_applied",
    ]);
    expect(await direct()).toEqual([]);
  });

  it("touch no other grant, of the principal or of others", async () => {
    await target.sql("CREATE ROLE kept; CREATE ROLE foreigner; GRANT SELECT, INSERT ON sales.orders TO foreigner");
    await target.sql("GRANT SELECT ON sales.orders TO kept");
    const spec = await specOf(target, ORDERS, "write", "kept");
    const calls = callsOf(target);
    await calls.grant(spec);
    await calls.revoke(spec);
    expect(await grantsOf(target, "kept")).toEqual(["table.read: SELECT"]);
    expect(await grantsOf(target, "foreigner")).toEqual(["table.read: SELECT", "table.write: INSERT"]);
  });

  it("made at once all take", async () => {
    const roles = ["r1", "r2", "r3", "r4", "r5", "r6"].map((name) => `at_once_${name}`);
    await target.sql(roles.map((role) => `CREATE ROLE ${role}`).join(";"));
    const specs = await Promise.all(roles.map((role) => specOf(target, ORDERS, "write", role)));
    const done = await Promise.all(specs.map((spec) => callsOf(target).grant(spec)));
    expect(done.map(({ outcome }) => outcome)).toEqual(roles.map(() => "applied"));
  });

  it("that give a part or more of a profile are a mismatch, with what is really there", async () => {
    await target.sql("CREATE ROLE partly; GRANT INSERT ON sales.orders TO partly");
    const calls = callsOf(target);
    const write = await specOf(target, ORDERS, "write", "partly");
    expect(await calls.verify(write)).toMatchObject({ presence: "mismatch", observed: { permissions: ["INSERT"] } });
    expect(await calls.grant(write)).toMatchObject({ outcome: "applied" });
    expect(await calls.verify(write)).toMatchObject({ presence: "present" });
    await target.sql("GRANT SELECT ON sales.orders TO partly WITH GRANT OPTION");
    const observed = { permissions: ["SELECT", "SELECT WITH GRANT OPTION"] };
    expect(await calls.verify(await specOf(target, ORDERS, "read", "partly"))).toMatchObject({
      presence: "mismatch",
      observed,
    });
  });

  it("that come through roles or PUBLIC are inherited, and not taken with what is direct", async () => {
    await target.sql(`CREATE ROLE top; CREATE ROLE middle IN ROLE top; CREATE ROLE bottom LOGIN IN ROLE middle;
      CREATE ROLE apart LOGIN NOINHERIT; GRANT top TO apart;
      GRANT SELECT ON sales.orders TO top; GRANT INSERT ON sales.orders TO bottom; GRANT SELECT ON sales.recent TO PUBLIC`);
    onTestFinished(async () => void (await target.sql("REVOKE SELECT ON sales.recent FROM PUBLIC")));
    expect(await grantsOf(target, "bottom")).toEqual([
      "inherited table.read: SELECT",
      "table.write: INSERT",
      "inherited table.read: SELECT",
      "inherited role.member: MEMBER",
      "role.member: MEMBER",
    ]);
    expect(await grantsOf(target, "apart")).toEqual(["inherited table.read: SELECT", "role.member: MEMBER"]);
    const spec = await specOf(target, ORDERS, "read", "bottom");
    expect(await callsOf(target).verify(spec)).toEqual({ presence: "absent", authoritative: true });
    expect(await callsOf(target).revoke(spec)).toMatchObject({ outcome: "already_applied" });
    const { items } = await listAll((page) =>
      callsOf(target).listGrants({ principals: [{ type: "group", externalId: "0" }] }, page),
    );
    expect(items).toMatchObject([{ principal: { displayName: "PUBLIC", type: "group" }, source: "direct" }]);
  });

  it("of an owner are seen, and are neither granted nor taken away", async () => {
    await target.sql("CREATE ROLE keeper; CREATE TABLE kept_by (id int); ALTER TABLE kept_by OWNER TO keeper");
    const calls = callsOf(target);
    const owned = await specOf(target, ["table", "kept_by"], "owner", "keeper");
    const { items } = await listAll((page) => calls.listGrants({ resource: owned.resource }, page));
    expect(items.map(shown)).toContain("table.owner: OWNER");
    expect(items.every(({ immutable }) => immutable)).toBe(true);
    for (const profile of ["owner", "read"])
      expect(await calls.revoke({ ...owned, profileExternalId: `table.${profile}` })).toMatchObject({
        outcome: "declined",
      });
    expect(await calls.grant(owned)).toMatchObject({ outcome: "declined" });
  });

  it("are the same page by page as at once", async () => {
    const calls = callsOf(target);
    const whole = await listAll((page) => calls.listGrants({}, page));
    const parts = await listAll((page) => calls.listGrants({}, page), 2);
    expect(whole.items.length).toBeGreaterThan(20);
    expect(parts).toMatchObject({ items: whole.items, complete: true });
  });

  it("change in one step, or not at all", async () => {
    await target.sql("CREATE ROLE changing; GRANT SELECT ON sales.orders TO changing");
    const [read, write, owner] = await Promise.all(
      ["read", "write", "owner"].map((profile) => specOf(target, ORDERS, profile, "changing")),
    );
    const calls = callsOf(target);
    expect(await calls.modify(read as never, owner as never)).toMatchObject({ outcome: "declined" });
    expect(await grantsOf(target, "changing")).toEqual(["table.read: SELECT"]);
    expect(await calls.modify(read as never, write as never)).toMatchObject({ outcome: "applied" });
    expect(await calls.modify(read as never, write as never)).toMatchObject({ outcome: "already_applied" });
    expect(await grantsOf(target, "changing")).toEqual(["table.write: DELETE, INSERT, UPDATE"]);
  });

  it("of membership take the place of each other, and administration is not lost unasked", async () => {
    await target.sql("CREATE ROLE team; CREATE ROLE climber; GRANT team TO climber");
    const member = await specOf(target, ["role", "team"], "member", "climber");
    const administrator = { ...member, profileExternalId: "role.administrator" };
    const calls = callsOf(target);
    expect(await calls.verify(administrator)).toMatchObject({
      presence: "mismatch",
      observed: { profileExternalId: "role.member" },
    });
    expect(await calls.grant(administrator)).toMatchObject({ outcome: "applied", replaced: ["role.member"] });
    await expect(calls.grant(member)).rejects.toMatchObject({ errorClass: "conflict" });
    expect(await calls.revoke(member)).toMatchObject({ outcome: "already_applied" });
    expect(await calls.modify(administrator, member)).toMatchObject({ outcome: "applied" });
    expect(await grantsOf(target, "climber")).toEqual(["role.member: MEMBER"]);
  });

  it("by several grantors all go, and what was passed on makes a revocation declined", async () => {
    await target.sql(`CREATE ROLE passer; CREATE ROLE receiver; GRANT USAGE ON SCHEMA sales TO passer;
      GRANT SELECT ON sales.orders TO passer WITH GRANT OPTION; GRANT SELECT ON sales.orders TO receiver;
      SET ROLE passer; GRANT SELECT ON sales.orders TO receiver; RESET ROLE`);
    const calls = callsOf(target);
    const passed = await specOf(target, ORDERS, "read", "passer");
    expect(await calls.revoke(passed)).toMatchObject({ outcome: "declined" });
    expect(await calls.revoke(await specOf(target, ORDERS, "read", "receiver"))).toMatchObject({ outcome: "applied" });
    expect(await grantsOf(target, "receiver")).toEqual([]);
    expect(await calls.revoke(passed)).toMatchObject({ outcome: "applied" });
  });

  it("of what is gone are absent, and grants to it are refused", async () => {
    await target.sql("CREATE ROLE leaving; CREATE TABLE gone (id int)");
    const spec = await specOf(target, ["table", "gone"], "read", "leaving");
    const calls = callsOf(target);
    await target.sql("DROP TABLE gone");
    expect(await calls.verify(spec)).toMatchObject({ presence: "absent" });
    expect(await calls.revoke(spec)).toMatchObject({ outcome: "already_applied" });
    await expect(calls.grant(spec)).rejects.toMatchObject({ errorClass: "not_found", code: "resource" });
    const other = { ...(await specOf(target, ORDERS, "read", "leaving")) };
    await target.sql("DROP ROLE leaving");
    await expect(calls.grant(other)).rejects.toMatchObject({ errorClass: "not_found", code: "principal" });
    expect(await calls.revoke(other)).toMatchObject({ outcome: "already_applied" });
  });
});

describe("sessions of a role", () => {
  it("are ended, and those of others are not", async () => {
    await target.sql(
      "CREATE ROLE busy LOGIN; CREATE ROLE other LOGIN; GRANT CONNECT ON DATABASE postgres TO busy, other",
    );
    const [busy, other] = [await opened("busy"), await opened("other")];
    const principal = { type: "service_account", externalId: await target.oid("role", "busy") } as const;
    expect(await callsOf(target).endSessions(principal)).toEqual({ ended: 1 });
    await expect(busy.query("SELECT 1")).rejects.toThrow();
    await expect(other.query("SELECT 1")).resolves.toBeDefined();
    expect(await callsOf(target).endSessions(principal)).toEqual({ ended: 0 });
  });
});

async function opened(user: string): Promise<pg.Client> {
  const client = new pg.Client({ host: "127.0.0.1", port: target.server.port, database: "postgres", user });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(async () => void (await client.end().catch(() => undefined)));
  return client;
}

async function asRole(user: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ host: "127.0.0.1", port: target.server.port, database: "postgres", user });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
