import { listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BASE, callsOf, type Directory, membersOf, PASSWORD, specOf } from "./directory.js";
import { asManager, dirsrv, startDirsrv } from "./dirsrv.js";

const nameOf = (rdn: string) => `${rdn},${BASE}`;
const READER = nameOf("cn=reader");
const NS_UNIQUE_ID = /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/;
const READABLE = `(targetattr="*")(version 3.0; acl "reader"; allow (read, search, compare) userdn="ldap:///${READER}";)`;

describe.skipIf(dirsrv.path === undefined)(`389 Directory Server with its defaults${dirsrv.note}`, () => {
  let directory: Directory;
  let alice: string;
  let bob: string;
  beforeAll(async () => {
    directory = await startDirsrv();
    [alice, bob] = [await directory.person("alice"), await directory.person("bob")];
    await asManager(directory, async (client) => {
      await client.add(READER, { objectClass: "person", cn: "reader", sn: "r", userPassword: PASSWORD });
    });
  });
  afterAll(() => directory?.stop());

  const asReader = () => callsOf(directory, { config: { bindDn: READER } });

  it("is connected by its suffix, whose entry has no entryUUID", async () => {
    const base = await asManager(directory, (client) =>
      client.search(BASE, { scope: "base", attributes: ["entryUUID"] }),
    );
    expect(base.searchEntries).toMatchObject([{ entryUUID: [] }]);
    const { checks, target } = await callsOf(directory).testConnection();
    expect(target).toMatchObject({ id: expect.stringMatching(NS_UNIQUE_ID) });
    expect(checks.find(({ id }) => id === "ids")).toMatchObject({ status: "pass" });
  });

  it.each(["groupOfNames", "groupOfUniqueNames", "posixGroup"] as const)(
    "takes members into a %s and out of it, by ids that renaming keeps",
    async (kind) => {
      const value = kind === "posixGroup" ? "alice" : nameOf("uid=alice");
      const group = await directory.group(`old-${kind}`, [value], kind);
      await directory.rename(`cn=old-${kind}`, `cn=new-${kind}`);
      const calls = callsOf(directory);
      expect([group, bob]).toEqual([expect.stringMatching(NS_UNIQUE_ID), expect.stringMatching(NS_UNIQUE_ID)]);
      expect(await calls.grant(specOf(group, bob))).toMatchObject({ outcome: "applied" });
      expect(await calls.verify(specOf(group, bob))).toMatchObject({ presence: "present" });
      expect(await membersOf(directory, group)).toEqual(["alice", "bob"]);
      expect(await calls.revoke(specOf(group, bob))).toMatchObject({ outcome: "applied" });
      expect(await membersOf(directory, group)).toEqual(["alice"]);
    },
  );

  it("finds an entry by uid, cn, distinguished name and id, and names others for one that is not there", async () => {
    const calls = callsOf(directory);
    for (const named of ["alice", "ALICE", nameOf("uid=alice"), alice])
      expect(await calls.findPrincipal({ type: "user", named }), named).toMatchObject({
        ...{ outcome: "found", principal: { type: "user", externalId: alice } },
      });
    const reported = await calls.findPrincipal({ type: "user", named: "allice" });
    expect(reported).toMatchObject({ outcome: "absent" });
    expect(JSON.stringify(reported)).toContain(alice);
    await expect(asReader().findPrincipal({ type: "user", named: "alice" })).rejects.toMatchObject({ code: "base" });
  });

  it("hides its base from a user without rights, which is said and not taken for an empty directory", async () => {
    const hidden = { errorClass: "config", code: "base" };
    await expect(asReader().testConnection()).rejects.toMatchObject(hidden);
    await expect(asReader().listResources("group", { limit: 9 })).rejects.toMatchObject(hidden);
    await expect(asReader().revoke(specOf(alice, bob))).rejects.toMatchObject(hidden);
  });

  it("lists more groups to a user than one page holds, since it counts each page against its limit", async () => {
    await asManager(directory, async (client) => {
      const { Attribute, Change } = await import("ldapts");
      const modification = new Attribute({ type: "aci", values: [READABLE] });
      await client.modify(BASE, new Change({ operation: "add", modification }));
      await client.modify(
        READER,
        new Change({ operation: "add", modification: new Attribute({ type: "nsSizeLimit", values: ["600"] }) }),
      );
      for (let n = 0; n < 700; n += 1)
        await client.add(nameOf(`cn=team-${n}`), { objectClass: "groupOfNames", cn: `team-${n}` });
    });
    const { items, complete } = await listAll((page) => asReader().listResources("group", page), 1_000);
    expect(items.length).toBeGreaterThanOrEqual(700);
    expect(complete).toBe(true);
    expect((await asReader().testConnection()).target).toMatchObject({ id: expect.stringMatching(NS_UNIQUE_ID) });
  });

  it("is not asked with a filter whose attribute its schema lacks, which would find everybody", async () => {
    const identityFilter = "(&(objectClass=person)(!(departmentNumbr=7)))";
    const calls = callsOf(directory, { config: { identityFilter } });
    await expect(calls.discoverAssets({ limit: 9 })).rejects.toMatchObject({ errorClass: "config", code: "filter" });
    expect((await calls.testConnection()).checks.find(({ id }) => id === "filter")).toMatchObject({ status: "fail" });
    const right = callsOf(directory, { config: { identityFilter: "(&(objectClass=person)(!(departmentNumber=7)))" } });
    expect((await listAll((page) => right.discoverAssets(page))).items.map(({ externalId }) => externalId)).toContain(
      alice,
    );
  });
});
