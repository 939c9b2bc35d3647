import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { guardedEgress } from "@reeve/core";
import { connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Certificate, certificateFor } from "../support/certificates.js";
import { type FaultyLink, faultyLink } from "../support/faulty-link.js";
import { ALLOW, callsOf, connector, grantsOf, specOf, startTarget, type Target } from "./target.js";

let target: Target;
beforeAll(async () => {
  target = await startTarget();
  await target.sql("CREATE SCHEMA sales; CREATE TABLE sales.orders (id int)");
});
afterAll(() => target.stop());

const ORDERS = ["table", "orders"] as const;
const MIB = 2 ** 20;
const TLS = ["off", "verify"];

describe("names in a PostgreSQL database", () => {
  const HOSTILE = [
    `"; DROP TABLE sales.orders; --`,
    `x' OR '1'='1`,
    `a"b""c`,
    "PUBLIC",
    "public ",
    "$1 %I %s",
    "Zoë 🦊 角色",
    "a\\'; SELECT pg_sleep(9)",
    "‮evil",
  ];

  it.each(HOSTILE)("such as %j are quoted, for roles, schemas and tables", async (name) => {
    const named = pg.escapeIdentifier(name);
    await target.sql(`CREATE ROLE ${named}; CREATE SCHEMA ${named}; CREATE TABLE ${named}.${named} (id int)`);
    const calls = callsOf(target);
    for (const [kind, profile] of [
      ["schema", "use"],
      ["table", "read"],
    ] as const) {
      const spec = await specOf(target, [kind, name], profile, name);
      expect(await calls.grant(spec)).toMatchObject({
        outcome: "applied",
        grant: { principal: { displayName: name } },
      });
      expect(await calls.verify(spec)).toMatchObject({ presence: "present" });
      expect(await calls.revoke(spec)).toMatchObject({ outcome: "applied" });
    }
    await target.sql("CREATE ROLE crew");
    const member = await specOf(target, ["role", name], "member", "crew");
    expect(await calls.grant(member)).toMatchObject({ outcome: "applied" });
    expect(await calls.revoke(member)).toMatchObject({ outcome: "applied" });
    expect(await target.oid("table", "orders")).toBeDefined();
    await target.sql(`DROP TABLE ${named}.${named}; DROP SCHEMA ${named}; DROP ROLE ${named}; DROP ROLE crew`);
  });

  it("in ids, profiles and cursors reach no statement", async () => {
    await target.sql("CREATE ROLE plain");
    const spec = await specOf(target, ORDERS, "read", "plain");
    const calls = callsOf(target);
    const evil = "1; DROP TABLE sales.orders";
    await expect(calls.grant({ ...spec, resource: { type: "table", externalId: evil } })).rejects.toMatchObject({
      errorClass: "invalid",
    });
    await expect(calls.grant({ ...spec, principal: { type: "user", externalId: evil } })).rejects.toMatchObject({
      errorClass: "not_found",
    });
    await expect(calls.grant({ ...spec, profileExternalId: evil })).rejects.toMatchObject({ errorClass: "invalid" });
    await expect(calls.grant({ ...spec, profileExternalId: "schema.use" })).rejects.toMatchObject({
      errorClass: "invalid",
    });
    for (const cursor of [evil, "table:1:2", "role:9:9:x'--"]) {
      await expect(calls.listGrants({}, { cursor, limit: 9 })).rejects.toMatchObject({ errorClass: "invalid" });
      await expect(calls.listResources("table", { cursor, limit: 9 })).rejects.toMatchObject({ errorClass: "invalid" });
    }
    expect(await grantsOf(target, "plain")).not.toContain("table.read: SELECT");
  });

  it("of the system's own tables cannot be granted, nor can anything to everybody", async () => {
    await target.sql("CREATE ROLE curious");
    const spec = await specOf(target, ["table", "pg_authid"], "read", "curious").catch(() => undefined);
    const [own] = await target.sql("SELECT 'pg_authid'::regclass::oid::text AS oid");
    const calls = callsOf(target);
    const grant = {
      ...(spec ?? (await specOf(target, ORDERS, "read", "curious"))),
      resource: { type: "table", externalId: own?.oid as string },
    };
    await expect(calls.grant(grant)).rejects.toMatchObject({ errorClass: "not_found" });
    const everybody = {
      ...(await specOf(target, ORDERS, "read", "curious")),
      principal: { type: "group", externalId: "0" } as const,
    };
    expect(await calls.grant(everybody)).toMatchObject({ outcome: "declined" });
  });

  it("that shadow those of PostgreSQL are not used", async () => {
    await target.sql("CREATE ROLE owner_of_shadows LOGIN");
    await target.sql("CREATE DATABASE shadows OWNER owner_of_shadows");
    const owner = new pg.Client({
      host: "127.0.0.1",
      port: target.server.port,
      database: "shadows",
      user: "owner_of_shadows",
    });
    await owner.connect();
    await owner.query(`CREATE SCHEMA s; CREATE TABLE s.pg_roles (oid oid, rolname text);
      CREATE FUNCTION s.current_database() RETURNS name LANGUAGE sql AS $$ SELECT 'forged'::name $$;
      ALTER DATABASE shadows SET search_path = s, pg_catalog`);
    await owner.end();
    const calls = callsOf(target, { config: { database: "shadows" } });
    expect((await calls.testConnection()).target).toMatchObject({ name: "shadows" });
    expect((await listAll((page) => calls.listResources("role", page))).items).not.toEqual([]);
  });
});

describe("a role of the connector that may do little", () => {
  it("is told what it may do, per capability", async () => {
    await target.sql("CREATE ROLE limited LOGIN");
    const { checks } = await callsOf(target, { config: { username: "limited" } }).testConnection();
    const states = Object.fromEntries(checks.map(({ id, status }) => [id, status]));
    expect(states).toEqual({
      sign_in: "pass",
      version: "pass",
      tls: "warn",
      grant: "fail",
      revoke: "fail",
      modify: "fail",
      sessions: "warn",
    });
  });

  it("is refused instead of believed, where PostgreSQL only warns", async () => {
    await target.sql(`CREATE ROLE granter LOGIN; CREATE ROLE wanting; GRANT USAGE ON SCHEMA sales TO granter;
      GRANT SELECT ON sales.orders TO granter; GRANT INSERT ON sales.orders TO granter WITH GRANT OPTION`);
    const calls = callsOf(target, { config: { username: "granter" } });
    const [read, write] = [
      await specOf(target, ORDERS, "read", "wanting"),
      await specOf(target, ORDERS, "write", "wanting"),
    ];
    for (const spec of [read, write])
      await expect(calls.grant(spec)).rejects.toMatchObject({ errorClass: "permission" });
    expect(await grantsOf(target, "wanting")).not.toContain("table.write: INSERT");
    await target.sql("GRANT SELECT ON sales.orders TO wanting");
    await expect(calls.revoke(read)).rejects.toMatchObject({ errorClass: "permission" });
    expect(await calls.verify(read)).toMatchObject({ presence: "present" });
  });

  it("cannot end the sessions of others", async () => {
    await target.sql("CREATE ROLE weak LOGIN; CREATE ROLE strong LOGIN SUPERUSER");
    const strong = new pg.Client({ host: "127.0.0.1", port: target.server.port, database: "postgres", user: "strong" });
    await strong.connect();
    onTestFinished(() => strong.end());
    const principal = { type: "user", externalId: await target.oid("role", "strong") } as const;
    await expect(callsOf(target, { config: { username: "weak" } }).endSessions(principal)).rejects.toMatchObject({
      errorClass: "permission",
    });
    await expect(strong.query("SELECT 1")).resolves.toBeDefined();
  });
});

describe("credentials for PostgreSQL", () => {
  const PASSWORD = "s3cret-of-the-role";
  beforeAll(async () => {
    await target.sql(`CREATE ROLE guarded LOGIN PASSWORD '${PASSWORD}'`);
    await target.write("pg_hba.conf", "host all guarded all scram-sha-256\nhost all all all trust");
    await target.sql("SELECT pg_reload_conf()");
  });
  const guarded = (secrets: Record<string, string>, config = {}) =>
    callsOf(target, { secrets, config: { username: "guarded", ...config } });

  it("that are right let it in", async () => {
    expect((await guarded({ password: PASSWORD }).testConnection()).target).toMatchObject({ name: "postgres" });
  });

  it.each([
    ["a wrong password", { password: "wrong" }, {}, "auth"],
    ["no password", {}, {}, "auth"],
    ["an unknown role", { password: PASSWORD }, { username: "nobody-there" }, "auth"],
    ["an unknown database", { password: PASSWORD }, { database: "nowhere" }, "config"],
  ])("with %s are refused as what they are, and quote nothing", async (_case, secrets, config, errorClass) => {
    const error = await guarded(secrets as Record<string, string>, config)
      .testConnection()
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "ConnectorError", errorClass });
    expect(error.message).not.toMatch(/s3cret|wrong|nobody-there|nowhere|127\.0/);
  });

  it("of the machine that runs the control plane are never sent", async () => {
    for (const [name, value] of [
      ["PGPASSWORD", PASSWORD],
      ["PGUSER", "postgres"],
      ["PGSSLMODE", "disable"],
    ] as const)
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(guarded({}).testConnection()).rejects.toMatchObject({ errorClass: "auth" });
  });
});

describe("a PostgreSQL server with TLS", () => {
  let trusted: Certificate;
  beforeAll(async () => {
    trusted = await certificateFor(["db.acme.test", "127.0.0.1"]);
    await target.write("server.key", trusted.key);
    await target.write("server.crt", trusted.cert);
    await target.sql("ALTER SYSTEM SET ssl = on");
    await target.sql("SELECT pg_reload_conf()");
  });
  const secure = (config: Record<string, unknown>) => {
    const parts = connectorParts(connector, { config: { ...target.config, tls: "verify", ...config } });
    const egress = guardedEgress({ allow: ALLOW, lookup: async () => ["127.0.0.1"] });
    return connectorCalls(connector, { ...parts, egress });
  };

  it.each(["db.acme.test", "127.0.0.1"])("that is trusted for %s is used", async (host) => {
    const { checks } = await secure({ host, ca: trusted.cert }).testConnection();
    expect(checks.map(({ id }) => id)).not.toContain("tls");
  });

  it("for another name is refused", async () => {
    await expect(secure({ host: "other.acme.test", ca: trusted.cert }).testConnection()).rejects.toMatchObject({
      errorClass: "config",
      code: "tls",
    });
  });

  it("of an unknown authority is refused", async () => {
    await expect(secure({ host: "db.acme.test" }).testConnection()).rejects.toMatchObject({
      errorClass: "config",
      code: "tls",
    });
  });

  it("is insisted on where the server has none", async () => {
    const plain = await startTarget();
    onTestFinished(() => plain.stop());
    await expect(secure({ port: plain.server.port }).testConnection()).rejects.toMatchObject({ code: "tls" });
  });
});

describe("a connection to PostgreSQL", () => {
  let link: FaultyLink;
  beforeAll(async () => {
    link = await faultyLink(target.server.port);
    await target.sql("CREATE ROLE unlucky");
  });
  afterAll(() => link.close());
  const linked = (options = {}) =>
    connectorCalls(
      connector,
      connectorParts(connector, { allow: ALLOW, config: { ...target.config, port: link.port } }),
      options,
    );
  const when = (word: string, fault: "hang" | "cut" | "lose answer") => (sent: Buffer) =>
    sent.includes(word) ? fault : "pass";

  it("that may not be opened is not", async () => {
    const closed = connectorCalls(connector, connectorParts(connector, { config: target.config }));
    await expect(closed.testConnection()).rejects.toMatchObject({ errorClass: "config", code: "target_not_allowed" });
  });

  it("that is cut before the server has everything changes nothing, and says so", async () => {
    const spec = await specOf(target, ORDERS, "read", "unlucky");
    link.fault(when("GRANT", "cut"));
    await expect(linked().grant(spec)).rejects.toMatchObject({ errorClass: "transient" });
    expect(await callsOf(target).verify(spec)).toMatchObject({ presence: "absent" });
  });

  it("that is lost with the last answer leaves the outcome open, and the next attempt finds it done", async () => {
    const spec = await specOf(target, ORDERS, "read", "unlucky");
    link.fault(when("COMMIT", "lose answer"));
    await expect(linked().grant(spec)).rejects.toMatchObject({ errorClass: "outcome_unknown" });
    link.fault(() => "pass");
    expect(await linked().grant(spec)).toMatchObject({ outcome: "already_applied" });
  });

  it("that hangs in the middle of an answer is closed when the caller leaves", async () => {
    const leaving = new AbortController();
    link.fault((sent) => {
      if (!sent.includes("pg_roles")) return "pass";
      setImmediate(() => leaving.abort());
      return "hang";
    });
    const read = linked({ signal: leaving.signal }).listResources("role", { limit: 10 });
    await expect(read).rejects.toMatchObject({ errorClass: "transient", code: "abandoned" });
    await vi.waitFor(() => expect(link.open).toBe(0));
  });

  it("waits for a lock no longer than the call has time, and changes nothing", async () => {
    const holder = new pg.Client({ connectionString: target.server.url() });
    await holder.connect();
    onTestFinished(() => holder.end());
    const spec = await specOf(target, ORDERS, "manage", "unlucky");
    await holder.query(
      "BEGIN; LOCK TABLE sales.orders IN ACCESS EXCLUSIVE MODE; GRANT SELECT ON sales.orders TO unlucky WITH GRANT OPTION",
    );
    const hasty = { ...connector, manifest: { ...connector.manifest, limits: { callSeconds: 2 } } };
    const late = callsOf(target, {}, hasty);
    await expect(late.grant(spec)).rejects.toMatchObject({ errorClass: "transient", code: "57014" });
    await holder.query("ROLLBACK");
    expect(await callsOf(target).verify(spec)).toMatchObject({ presence: "absent" });
  });

  it("to a server that answers without end is cut off", async () => {
    const message = (kind: string, body: Buffer) => {
      const head = Buffer.alloc(5);
      head.write(kind);
      head.writeInt32BE(body.length + 4, 1);
      return Buffer.concat([head, body]);
    };
    const ready = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]);
    const notice = message("N", Buffer.concat([Buffer.from("M"), Buffer.alloc(65_000, "x"), Buffer.alloc(2)]));
    const port = await listening((socket) => {
      socket.once("data", () => {
        socket.write(ready);
        socket.once("data", () => {
          for (let count = 0; count < 200; count += 1) socket.write(notice);
        });
      });
    });
    await expect(callsOf(target, { config: { port } }).testConnection()).rejects.toMatchObject({
      errorClass: "transient",
      code: "connection",
    });
  });

  it.each(TLS)("to a server that lets nobody in and talks without end is cut off, with TLS %s", async (tls) => {
    const certificate = await certificateFor(["127.0.0.1"]);
    let sent = 0;
    /** The start of a message of a gigabyte, and as much of it as is taken. */
    const flood = (socket: Socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write(Buffer.from([0x52, 0x3f, 0xff, 0xff, 0xff]));
        const more = () => {
          while (!socket.destroyed && sent < 64 * MIB) {
            sent += MIB;
            if (!socket.write(Buffer.alloc(MIB))) return void socket.once("drain", more);
          }
        };
        more();
      });
    };
    const port = await listening((socket) => {
      if (tls === "off") return flood(socket);
      socket.once("data", () => {
        socket.write("S");
        flood(new TLSSocket(socket, { isServer: true, ...certificate }));
      });
    });
    const calls = callsOf(target, { config: { port, tls, ca: certificate.cert } });
    await expect(calls.testConnection()).rejects.toMatchObject({ errorClass: "transient", code: "connection" });
    expect(sent).toBeLessThan(32 * MIB);
  });

  it("to something that is no PostgreSQL fails as such, and soon", async () => {
    const port = await listening((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    for (const tls of ["off", "verify"])
      await expect(callsOf(target, { config: { port, tls } }).testConnection()).rejects.toMatchObject({
        name: "ConnectorError",
        errorClass: expect.stringMatching(/^(config|transient|invalid)$/),
      });
  });
});

/** The port of a server for one test. */
async function listening(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => serve(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
