import { listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BASE, callsOf, type Directory, slapd, specOf, startDirectory } from "./directory.js";

const nameOf = (rdn: string) => `${rdn},${BASE}`;

/** Groups hold names and uids, which stay when entries go, and may be written in other ways than the entries have them. */
describe.skipIf(slapd.path === undefined)(`what stands in a group of an LDAP directory${slapd.note}`, () => {
  let directory: Directory;
  beforeAll(async () => {
    directory = await startDirectory();
    await directory.person("keeper");
  });
  afterAll(() => directory?.stop());

  const KEEPER = nameOf("uid=keeper");

  it("is taken away for an entry that is gone, so that the next of its name has nothing", async () => {
    const first = await directory.person("short");
    const group = await directory.group("of-short", [KEEPER]);
    const calls = callsOf(directory);
    expect((await calls.grant(specOf(group, first))).outcome).toBe("applied");
    await directory.remove("uid=short");
    expect((await calls.verify(specOf(group, first))).presence, "its name stands there").toBe("mismatch");
    expect((await calls.revoke(specOf(group, first))).outcome).toBe("applied");
    expect(await directory.members("cn=of-short")).toEqual([KEEPER]);
    const second = await directory.person("short");
    expect((await calls.verify(specOf(group, second))).presence).toBe("absent");
    expect((await calls.verify(specOf(group, first))).presence, "nothing is remembered of it").toBe("unknown");
  });

  it("is taken away for an entry that is gone by what the grant has told, in any other process", async () => {
    const who = await directory.person("told");
    const group = await directory.group("of-told", [KEEPER]);
    const granted = await callsOf(directory).grant(specOf(group, who));
    const externalGrantId = "grant" in granted ? granted.grant?.externalGrantId : undefined;
    await directory.remove("uid=told");
    const revoked = await callsOf(directory).revoke({ ...specOf(group, who), externalGrantId: externalGrantId ?? "" });
    expect([revoked.outcome, await directory.members("cn=of-told")]).toEqual(["applied", [KEEPER]]);
  });

  it("is taken away under the name before, where an entry was renamed and the group was not", async () => {
    const who = await directory.person("maiden");
    const group = await directory.group("of-maiden", [KEEPER]);
    const calls = callsOf(directory);
    await calls.grant(specOf(group, who));
    await directory.rename("uid=maiden", "uid=married");
    expect((await calls.verify(specOf(group, who))).presence).toBe("mismatch");
    expect((await calls.revoke(specOf(group, who))).outcome).toBe("applied");
    expect(await directory.members("cn=of-maiden")).toEqual([KEEPER]);
  });

  it("is taken from whoever has got the name since, unless it was granted to them too", async () => {
    const first = await directory.person("heir");
    const group = await directory.group("of-heir", [KEEPER]);
    const calls = callsOf(directory);
    await calls.grant(specOf(group, first));
    await directory.remove("uid=heir");
    const second = await directory.person("heir");
    expect((await calls.verify(specOf(group, second))).presence).toBe("present");
    await calls.grant(specOf(group, second));
    await calls.revoke(specOf(group, first));
    expect(await directory.members("cn=of-heir"), "the second was granted it").toContain(nameOf("uid=heir"));
    await calls.revoke(specOf(group, second));
    expect(await directory.members("cn=of-heir")).toEqual([KEEPER]);
  });

  it.each([
    ["a name with an identifier", "groupOfUniqueNames", `${nameOf("uid=odd")}#'0101'B`],
    ["a name in capitals", "groupOfNames", nameOf("UID=ODD").replace("dc=acme", "DC=Acme")],
    ["a uid in capitals", "posixGroup", "ODD"],
  ] as const)("is what was listed, byte for byte: %s", async (_case, kind, value) => {
    const attribute = { groupOfUniqueNames: "uniqueMember", groupOfNames: "member", posixGroup: "memberUid" }[kind];
    const who = await directory.person("odd");
    const group = await directory.group("of-odd", [kind === "posixGroup" ? "keeper" : KEEPER, value], kind);
    const calls = callsOf(directory);
    const resource = { type: "group", externalId: group };
    const listed = async () =>
      (await listAll((page) => calls.listGrants({ resource }, page))).items.map(
        ({ principal }) => principal.externalId,
      );
    expect(await listed()).toContain(who);
    expect((await calls.verify(specOf(group, who))).presence).toBe("present");
    expect((await calls.revoke(specOf(group, who))).outcome).toBe("applied");
    expect([await listed(), (await directory.members("cn=of-odd", attribute)).includes(value)]).toEqual([
      [expect.not.stringMatching(who)],
      false,
    ]);
    for (const rdn of ["uid=odd", "cn=of-odd"]) await directory.remove(rdn);
  });
});
