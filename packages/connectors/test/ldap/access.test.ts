import { X509Certificate } from "node:crypto";
import { listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificateFor } from "../support/certificates.js";
import {
  asAdmin,
  BASE,
  callsOf,
  type Directory,
  membersOf,
  shown,
  slapd,
  specOf,
  startDirectory,
} from "./directory.js";

const nameOf = (rdn: string) => `${rdn},${BASE}`;

describe.skipIf(slapd.path === undefined)(`an LDAP directory${slapd.note}`, () => {
  let directory: Directory;
  let alice: string;
  let bob: string;
  beforeAll(async () => {
    directory = await startDirectory();
    [alice, bob] = [await directory.person("alice"), await directory.person("bob")];
  });
  afterAll(() => directory?.stop());

  it("shows the entries of the filter as identities, with who answers for them", async () => {
    const id = await directory.add("cn=claims-triage", {
      objectClass: ["applicationProcess", "uidObject"],
      uid: "claims-triage",
      cn: "claims-triage",
      description: "Sorts claims.",
    });
    const calls = callsOf(directory, { config: { identityFilter: "(objectClass=applicationProcess)" } });
    expect(await listAll((page) => calls.discoverAssets(page))).toMatchObject({
      complete: true,
      items: [
        {
          externalId: id,
          assetType: "identity",
          name: "claims-triage",
          description: "Sorts claims.",
          metadata: { uid: "claims-triage" },
          found: [{ location: nameOf("cn=claims-triage") }],
        },
      ],
    });
    const people = callsOf(directory, { config: { identityFilter: "(uid=*)" } });
    expect((await listAll((page) => people.discoverAssets(page), 1)).items).toHaveLength(3);
  });

  it("concludes nothing where no filter names identities, and refuses what is no filter", async () => {
    expect(await callsOf(directory).discoverAssets({ limit: 9 })).toMatchObject({ items: [], complete: false });
    const broken = callsOf(directory, { config: { identityFilter: "(((" } });
    await expect(broken.discoverAssets({ limit: 9 })).rejects.toMatchObject({ errorClass: "config", code: "filter" });
  });

  it("shows its groups, whole and page by page", async () => {
    const ids = [];
    for (const cn of ["one", "two", "three"]) ids.push(await directory.group(cn, [nameOf("uid=alice")]));
    const calls = callsOf(directory);
    const whole = await listAll((page) => calls.listResources("group", page));
    const parts = await listAll((page) => calls.listResources("group", page), 1);
    expect(whole.items.map(({ externalId }) => externalId)).toEqual(expect.arrayContaining(ids));
    expect(whole.items).toContainEqual({
      type: "group",
      externalId: ids[0],
      name: "one",
      attributes: { dn: nameOf("cn=one"), objectClass: "groupOfNames" },
    });
    expect(parts.pages).toBeGreaterThanOrEqual(3);
    expect(parts).toMatchObject({ items: whole.items, complete: true });
  });

  it("says who it is, and what may be read", async () => {
    const { checks, target } = await callsOf(directory).testConnection();
    expect(target).toMatchObject({ name: BASE, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(Object.fromEntries(checks.map(({ id, status }) => [id, status]))).toEqual({
      ...{ sign_in: "pass", tls: "warn", pages: "pass", ids: "pass" },
      ...{ resources: "pass", observe: "pass", verify: "pass", grant: "skip", revoke: "skip" },
    });
  });

  it.each(["groupOfNames", "groupOfUniqueNames", "posixGroup"] as const)(
    "takes members into a %s and out of it, twice as once",
    async (kind) => {
      const value = kind === "posixGroup" ? "alice" : nameOf("uid=alice");
      const group = await directory.group(`in-out-${kind}`, [value], kind);
      const calls = callsOf(directory);
      const spec = specOf(group, bob);
      expect(await calls.verify(spec)).toEqual({ presence: "absent", authoritative: true });
      expect([(await calls.grant(spec)).outcome, (await calls.grant(spec)).outcome]).toEqual([
        "applied",
        "already_applied",
      ]);
      expect(await calls.verify(spec)).toMatchObject({ presence: "present", authoritative: true });
      expect(await membersOf(directory, group)).toEqual(["alice", "bob"]);
      expect([(await calls.revoke(spec)).outcome, (await calls.revoke(spec)).outcome]).toEqual([
        "applied",
        "already_applied",
      ]);
      expect(await membersOf(directory, group)).toEqual(["alice"]);
    },
  );

  it("loses no member that somebody else adds at the same time", async () => {
    const people = await Promise.all(["p1", "p2", "p3", "p4"].map((uid) => directory.person(uid)));
    const group = await directory.group("crowd", [nameOf("uid=alice")]);
    await Promise.all(people.map((person) => callsOf(directory).grant(specOf(group, person))));
    await Promise.all([
      callsOf(directory).revoke(specOf(group, people[0] as string)),
      callsOf(directory).grant(specOf(group, bob)),
    ]);
    expect(await membersOf(directory, group)).toEqual(["alice", "bob", "p2", "p3", "p4"]);
  });

  it("keeps grants when people and groups are renamed", async () => {
    const carol = await directory.person("carol");
    const group = await directory.group("old-name", [nameOf("uid=alice"), nameOf("uid=carol")]);
    await directory.rename("cn=old-name", "cn=new-name");
    expect(await callsOf(directory).verify(specOf(group, carol))).toMatchObject({ presence: "present" });
    expect(await callsOf(directory).revoke(specOf(group, carol))).toMatchObject({ outcome: "applied" });
    expect(await directory.members("cn=new-name")).toEqual([nameOf("uid=alice")]);
  });

  it("shows members of nested groups as inherited, and ends where groups are in each other", async () => {
    const inner = await directory.group("inner", [nameOf("uid=alice")]);
    const outer = await directory.group("outer", [nameOf("CN=Inner").replace("dc=acme", "DC=Acme"), nameOf("uid=bob")]);
    expect(
      await callsOf(directory).grant({ ...specOf(inner, outer), principal: { type: "group", externalId: outer } }),
    ).toMatchObject({
      outcome: "applied",
    });
    expect(await membersOf(directory, outer)).toEqual(["bob", "inherited alice", "inherited outer", "inner"]);
    expect(await membersOf(directory, inner)).toEqual(["alice", "inherited bob", "inherited inner", "outer"]);
    expect(await callsOf(directory).verify(specOf(outer, alice))).toMatchObject({ presence: "absent" });
    expect(await callsOf(directory).grant(specOf(inner, inner))).toMatchObject({ outcome: "declined" });
  });

  it("gives the grants of one principal, and of all page by page", async () => {
    const dora = await directory.person("dora");
    const group = await directory.group("of-dora", [nameOf("uid=dora"), nameOf("uid=bob")]);
    await directory.group("posix-of-dora", ["dora"], "posixGroup");
    const calls = callsOf(directory);
    const principals = [{ type: "user" as const, externalId: dora }];
    const own = await listAll((page) => calls.listGrants({ principals }, page));
    expect(own.items.map(shown)).toEqual(["dora", "dora"]);
    expect(own.items.map(({ resource }) => resource.externalId)).toContain(group);
    const whole = await listAll((page) => calls.listGrants({}, page));
    const parts = await listAll((page) => calls.listGrants({}, page), 2);
    expect(parts).toMatchObject({ items: whole.items, complete: true });
    expect(whole.items.length).toBeGreaterThan(6);
  });

  it("keeps the last member of a group that may not be empty, and says why", async () => {
    const group = await directory.group("last", [nameOf("uid=bob")]);
    expect(await callsOf(directory).revoke(specOf(group, bob))).toMatchObject({
      outcome: "declined",
      reason: expect.stringContaining("last member"),
    });
    expect(await callsOf(directory).verify(specOf(group, bob))).toMatchObject({ presence: "present" });
  });

  it("puts the placeholder for the last member, where there is one, and does not show it", async () => {
    const group = await directory.group("held-open", [nameOf("uid=bob")]);
    const config = { placeholderDn: nameOf("cn=nobody") };
    expect(await callsOf(directory, { config }).revoke(specOf(group, bob))).toMatchObject({ outcome: "applied" });
    expect(await directory.members("cn=held-open")).toEqual([nameOf("cn=nobody")]);
    const resource = { type: "group", externalId: group };
    const { items, complete } = await listAll((page) => callsOf(directory, { config }).listGrants({ resource }, page));
    expect({ items, complete }).toEqual({ items: [], complete: true });
  });

  it("rejects members that are nobody, and a uid that is two people's, and goes on", async () => {
    await directory.add("ou=twins", { objectClass: "organizationalUnit", ou: "twins" });
    for (const unit of ["", "ou=twins,"])
      await asAdmin(directory, (client) =>
        client.add(`uid=twin,${unit}${BASE}`, {
          objectClass: ["inetOrgPerson", "posixAccount"],
          ...{ cn: "twin", sn: "twin", uidNumber: "7", gidNumber: "1", homeDirectory: "/" },
        }),
      );
    const names = await directory.group("with-ghost", [nameOf("uid=ghost"), nameOf("uid=alice")]);
    const uids = await directory.group("with-twin", ["twin", "alice"], "posixGroup");
    for (const group of [names, uids]) {
      const page = await callsOf(directory).listGrants(
        { resource: { type: "group", externalId: group } },
        { limit: 9 },
      );
      expect(page.items.map(shown)).toEqual(["alice"]);
      expect(page.rejected).toHaveLength(1);
    }
    const twin = await asAdmin(directory, (client) =>
      client.search(nameOf("uid=twin"), { scope: "base", attributes: ["entryUUID"] }),
    );
    const id = twin.searchEntries[0]?.entryUUID as string;
    expect(await callsOf(directory).grant(specOf(uids, id))).toMatchObject({ outcome: "declined" });
  });

  it("has nothing of what is gone, and refuses grants to it", async () => {
    const leaver = await directory.person("leaver");
    const group = await directory.group("left", [nameOf("uid=alice"), nameOf("uid=leaver")]);
    await directory.remove("uid=leaver");
    const calls = callsOf(directory);
    // Nobody has told its name, which stands in the group still.
    expect(await calls.verify(specOf(group, leaver))).toMatchObject({ presence: "unknown" });
    await expect(calls.revoke(specOf(group, leaver))).rejects.toMatchObject({ code: "principal" });
    await expect(calls.grant(specOf(group, leaver))).rejects.toMatchObject({
      errorClass: "not_found",
      code: "principal",
    });
    await directory.remove("cn=left");
    await expect(calls.grant(specOf(group, alice))).rejects.toMatchObject({
      errorClass: "not_found",
      code: "resource",
    });
    await expect(calls.verify(specOf(group, alice))).rejects.toMatchObject({ code: "resource" });
    await expect(calls.revoke(specOf(group, alice))).rejects.toMatchObject({ code: "resource" });
  });

  it("lists certificates and SSH keys by fingerprint, and tells which entry has one that cannot be read", async () => {
    const principal = { type: "user", externalId: await directory.person("holder") } as const;
    const { cert } = await certificateFor(["holder.acme.test"]);
    const { fingerprint256, raw, validTo } = new X509Certificate(cert);
    const sshKeys = [`ssh-ed25519 ${Buffer.from("a key").toString("base64")} holder@laptop`, "no key at all"];
    await directory.credentials("uid=holder", { certificates: [raw], sshKeys });
    const list = () => callsOf(directory).listCredentials({ principals: [principal] }, { limit: 10 });
    const { items, rejected } = await list();
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ principal, type: "certificate", externalId: fingerprint256, expiresAt: new Date(validTo) },
        }),
        { principal, type: "key", externalId: expect.stringMatching(/^SHA256:/), name: "holder@laptop" },
      ]),
    );
    expect(rejected).toMatchObject([{ externalId: principal.externalId }]);
    await directory.remove("uid=holder");
    expect(await list()).toMatchObject({ items: [], complete: true });
  });
});
