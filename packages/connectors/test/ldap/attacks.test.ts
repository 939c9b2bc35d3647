import { guardedEgress } from "@reeve/core";
import { connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type FaultyLink, faultyLink } from "../support/faulty-link.js";
import {
  ADMIN,
  ALLOW,
  asAdmin,
  BASE,
  callsOf,
  connector,
  type Directory,
  membersOf,
  PASSWORD,
  slapd,
  specOf,
  startDirectory,
} from "./directory.js";
import { done, entry, lyingServer, morePages, REQUESTS, requestsIn } from "./lying-server.js";

const nameOf = (rdn: string) => `${rdn},${BASE}`;
const LIMITS = [
  "access to attrs=userPassword by anonymous auth by * none",
  "access to * by users read",
  "limits users size.prtotal=4",
];

describe.skipIf(slapd.path === undefined)(`an attacked LDAP directory${slapd.note}`, () => {
  let directory: Directory;
  let alice: string;
  let bob: string;
  let group: string;
  beforeAll(async () => {
    directory = await startDirectory(LIMITS);
    [alice, bob] = [await directory.person("alice"), await directory.person("bob")];
    group = await directory.group("ops", [nameOf("uid=alice")]);
  });
  afterAll(() => directory?.stop());

  const HOSTILE: readonly (readonly [string, string])[] = [
    ["*)(uid=*", "\\2a\\29\\28uid\\3d\\2a"],
    ["a,ou=admins", "a\\2cou\\3dadmins"],
    ['"quoted" \\ back', "\\22quoted\\22 \\5c back"],
    [" lead # +;<>", "\\20lead \\23 \\2b\\3b\\3c\\3e"],
    ["Zoë 🦊 角色", "Zoë 🦊 角色"],
    ["PLAIN", "PLAIN"],
  ];

  it.each(HOSTILE)("may have people and groups named %j", async (name, escaped) => {
    const person = await asAdmin(directory, async (client) => {
      await client.add(nameOf(`cn=p ${escaped}`), { objectClass: "person", cn: `p ${name}`, sn: name });
      const found = await client.search(nameOf(`cn=p ${escaped}`), { scope: "base", attributes: ["entryUUID"] });
      return found.searchEntries[0]?.entryUUID as string;
    });
    const own = await directory.group(`g ${escaped}`, [nameOf("uid=alice")]);
    const calls = callsOf(directory);
    expect(await calls.grant(specOf(own, person))).toMatchObject({ outcome: "applied" });
    expect(await membersOf(directory, own)).toEqual(["alice", `p ${name}`].sort());
    const principals = [{ type: "user" as const, externalId: person }];
    expect((await listAll((page) => calls.listGrants({ principals }, page))).items).toHaveLength(1);
    expect(await calls.revoke(specOf(own, person))).toMatchObject({ outcome: "applied" });
    expect(await membersOf(directory, own)).toEqual(["alice"]);
  });

  it("takes a uid with a filter in it for a name", async () => {
    const uids = await directory.group("uids", ["*", "*)(objectClass=*", "alice"], "posixGroup");
    const page = await callsOf(directory).listGrants({ resource: { type: "group", externalId: uids } }, { limit: 9 });
    expect(page.items.map(({ principal }) => principal.externalId)).toEqual([alice]);
    expect(page.rejected).toHaveLength(2);
  });

  it.each(["*", "*)(objectClass=*", "", nameOf("uid=alice"), "x".repeat(36)])(
    "finds nothing by the id %j",
    async (id) => {
      const calls = callsOf(directory);
      await expect(calls.verify(specOf(id, alice))).rejects.toMatchObject({ errorClass: "not_found" });
      await expect(calls.grant(specOf(group, id))).rejects.toMatchObject({ errorClass: "not_found" });
      await expect(calls.listGrants({}, { cursor: `x${id}`, limit: 9 })).rejects.toMatchObject({
        errorClass: "invalid",
      });
    },
  );

  it.each([
    ["a wrong password", { password: "wrong-one" }, {}, "auth"],
    ["an unknown user", {}, { bindDn: nameOf("cn=stranger") }, "auth"],
    ["a name that is none", {}, { bindDn: "no=name at all" }, "config"],
    ["an unknown base", {}, { baseDn: "dc=nowhere,dc=test" }, "config"],
  ])("refuses %s as what it is, and quotes nothing", async (_case, secrets, config, errorClass) => {
    const calls = callsOf(directory, { config, secrets: { password: PASSWORD, ...secrets } });
    const error = await calls.testConnection().catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "ConnectorError", errorClass });
    expect(error.message).not.toMatch(/s3cret|wrong-one|stranger|nowhere|dc=|127\.0/);
  });

  it("that hides its base is not taken for one without access", async () => {
    const calls = callsOf(directory, { config: { baseDn: nameOf("ou=hidden") } });
    const hidden = { errorClass: "config", code: "base" };
    await expect(calls.verify(specOf(group, alice))).rejects.toMatchObject(hidden);
    await expect(calls.revoke(specOf(group, alice))).rejects.toMatchObject(hidden);
    await expect(calls.listResources("group", { limit: 9 })).rejects.toMatchObject(hidden);
  });

  it("is never asked without a password, which servers take for success", () => {
    expect(connector.secrets.safeParse({ password: "" }).success).toBe(false);
    expect(connector.secrets.safeParse({}).success).toBe(false);
  });

  it("refuses writes of a user who may only read, and does not list up to a limit as if it were all", async () => {
    const reader = nameOf("cn=reader");
    await asAdmin(directory, (client) =>
      client.add(reader, { objectClass: "person", cn: "reader", sn: "r", userPassword: "reader-password" }),
    );
    const calls = callsOf(directory, { config: { bindDn: reader }, secrets: { password: "reader-password" } });
    await expect(calls.grant(specOf(group, bob))).rejects.toMatchObject({ errorClass: "permission" });
    for (const cn of ["a", "b", "c", "d", "e"]) await directory.group(`many-${cn}`, [nameOf("uid=alice")]);
    await expect(listAll((page) => calls.listResources("group", page))).rejects.toMatchObject({
      errorClass: "permission",
    });
  });

  it("that refers to another server is not followed, nor taken for whole", async () => {
    const link = await faultyLink(directory.port);
    onTestFinished(() => link.close());
    const elsewhere = nameOf("ou=elsewhere");
    await asAdmin(directory, (client) =>
      client.add(elsewhere, {
        objectClass: ["referral", "extensibleObject"],
        ou: "elsewhere",
        ref: `ldap://127.0.0.1:${link.port}/${BASE}`,
      }),
    );
    let connections = 0;
    link.fault(() => {
      connections += 1;
      return "pass";
    });
    const listed = await listAll((page) => callsOf(directory).listResources("group", page));
    expect(listed.complete).toBe(false);
    expect(listed.items.map(({ externalId }) => externalId)).toContain(group);
    expect(connections).toBe(0);
  });

  describe("over TLS", () => {
    const secure = (config: Record<string, unknown>) => {
      const parts = connectorParts(connector, {
        config: {
          ...directory.config,
          port: config.tls === "starttls" ? directory.port : directory.securePort,
          ...config,
        },
        secrets: { password: PASSWORD },
      });
      return connectorCalls(connector, {
        ...parts,
        egress: guardedEgress({ allow: ALLOW, lookup: async () => ["127.0.0.1"] }),
      });
    };
    const both = ["ldaps", "starttls"] as const;

    it.each(both)("is used by %s where its certificate is for the name", async (tls) => {
      for (const host of ["ldap.acme.test", "127.0.0.1"]) {
        const { checks } = await secure({ tls, host, ca: directory.certificate.cert }).testConnection();
        expect(checks.map(({ id }) => id)).not.toContain("tls");
      }
    });

    it.each(both)("is refused by %s for another name, and of an unknown authority", async (tls) => {
      for (const wrong of [{ host: "other.acme.test", ca: directory.certificate.cert }, { host: "ldap.acme.test" }])
        await expect(secure({ tls, ...wrong }).testConnection()).rejects.toMatchObject({
          errorClass: "config",
          code: "tls",
        });
    });

    it("is never given the password where it refuses the upgrade", async () => {
      const server = await lyingServer(() => []);
      onTestFinished(() => server.close());
      await expect(secure({ tls: "starttls", port: server.port }).testConnection()).rejects.toMatchObject({
        errorClass: "config",
      });
      expect(server.received.toString()).not.toContain(PASSWORD);
    });
  });

  describe("over a bad line", () => {
    let link: FaultyLink;
    beforeAll(async () => {
      link = await faultyLink(directory.port);
    });
    afterAll(() => link?.close());
    const linked = (options = {}) =>
      connectorCalls(
        connector,
        connectorParts(connector, {
          allow: ALLOW,
          secrets: { password: PASSWORD },
          config: { ...directory.config, port: link.port },
        }),
        options,
      );
    const holds = (sent: Buffer, request: keyof typeof REQUESTS) =>
      [...requestsIn(sent)].some(([, kind]) => kind === REQUESTS[request]);

    it("that may not be opened is not", async () => {
      const closed = connectorCalls(
        connector,
        connectorParts(connector, { secrets: { password: PASSWORD }, config: directory.config }),
      );
      await expect(closed.testConnection()).rejects.toMatchObject({ errorClass: "config", code: "target_not_allowed" });
    });

    it.each(["cut", "lose answer"] as const)(
      "(%s) leaves the outcome open, and the next attempt makes it right",
      async (fault) => {
        const person = await directory.person(`unlucky-${fault.replace(" ", "-")}`);
        link.fault((sent) => (holds(sent, "modify") ? fault : "pass"));
        await expect(linked().grant(specOf(group, person))).rejects.toMatchObject({ errorClass: "outcome_unknown" });
        link.fault(() => "pass");
        const again = await linked().grant(specOf(group, person));
        expect(again.outcome).toBe(fault === "cut" ? "applied" : "already_applied");
      },
    );

    it("is not opened again without its sign-in", async () => {
      let signIns = 0;
      link.fault((sent) => {
        if (holds(sent, "bind")) signIns += 1;
        return holds(sent, "search") ? "cut" : "pass";
      });
      await expect(linked().listResources("group", { limit: 9 })).rejects.toMatchObject({ errorClass: "transient" });
      expect(signIns).toBe(1);
    });

    it("that hangs in the middle of an answer is closed when the caller leaves", async () => {
      const leaving = new AbortController();
      link.fault((sent) => {
        if (!holds(sent, "search")) return "pass";
        setImmediate(() => leaving.abort());
        return "hang";
      });
      const read = linked({ signal: leaving.signal }).listResources("group", { limit: 9 });
      await expect(read).rejects.toMatchObject({ errorClass: "transient", code: "abandoned" });
      await vi.waitFor(() => expect(link.open).toBe(0));
    });
  });
});

describe("a server that lies in the LDAP protocol", () => {
  const ID = "11111111-1111-1111-1111-111111111111";
  const GROUP = { entryUUID: ID, objectClass: "groupOfNames", cn: "g", member: "uid=a" };
  async function lied(search: (id: number) => Iterable<Buffer>) {
    const server = await lyingServer(search);
    onTestFinished(() => server.close());
    const config = { host: "127.0.0.1", port: server.port, tls: "off", bindDn: ADMIN, baseDn: BASE };
    return connectorCalls(
      connector,
      connectorParts(connector, { allow: ALLOW, secrets: { password: PASSWORD }, config }),
    );
  }

  it("with pages that lead back to themselves is found out", async () => {
    const calls = await lied((id) => [entry(id, "cn=g", GROUP), morePages(id)]);
    await expect(calls.listResources("group", { limit: 9 })).rejects.toMatchObject({
      errorClass: "invalid",
      code: "pagination_loop",
    });
  });

  it("with pages without end is given up", async () => {
    let number = 0;
    const calls = await lied(function* (id) {
      for (const last = number + 500; number < last; number += 1)
        yield entry(id, `cn=g${number}`, { cn: "g".repeat(50) });
      yield morePages(id);
    });
    await expect(calls.listResources("group", { limit: 9 })).rejects.toMatchObject({
      errorClass: "invalid",
      code: "too_many",
    });
  });

  it("with an answer that is too large is cut off", async () => {
    const calls = await lied(function* (id) {
      for (let count = 0; count < 300; count += 1) yield entry(id, `cn=g${count}`, { cn: "g".repeat(65_000) });
    });
    await expect(calls.listResources("group", { limit: 9 })).rejects.toMatchObject({
      errorClass: "transient",
      code: "connection",
    });
  });

  it("with another entry than was asked for changes nothing", async () => {
    const calls = await lied((id) => [
      entry(id, "cn=other", { ...GROUP, entryUUID: ID.replaceAll("1", "2") }),
      done(id),
    ]);
    await expect(calls.grant(specOf(ID, ID))).rejects.toMatchObject({ errorClass: "not_found" });
    await expect(calls.verify(specOf(ID, ID))).rejects.toMatchObject({ errorClass: "not_found" });
  });

  it("with groups without an id is read but for these, and a name that no record holds is left out", async () => {
    const OTHER = ID.replaceAll("1", "3");
    const calls = await lied((id) => [
      entry(id, "cn=g", GROUP),
      entry(id, "cn=h", { ...GROUP, entryUUID: "../../etc/passwd" }),
      entry(id, "cn=i", { ...GROUP, entryUUID: OTHER, cn: "with\0nul" }),
      entry(id, "cn=j", { ...GROUP, entryUUID: OTHER }),
      entry(id, "cn=k", { entryUUID: ID.replaceAll("1", "4"), cn: "k", objectClass: "hidden" }),
      done(id),
    ]);
    const page = await calls.listResources("group", { limit: 9 });
    expect(page.items.map(({ name }) => name)).toEqual(["g", "cn=i"]);
    expect(page.rejected?.map(({ externalId }) => externalId)).toEqual(["cn=h", OTHER, ID.replaceAll("1", "4")]);
    expect(page.warnings).toMatchObject([{ externalId: OTHER, part: "cn" }]);
    expect([page.complete, page.incomplete]).toEqual([false, "rejected"]);
  });
});
