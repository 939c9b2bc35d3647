import { listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asAdmin, BASE, callsOf, type Directory, PASSWORD, slapd, startDirectory } from "./directory.js";

const READER = `cn=reader,${BASE}`;
const READS = ["access to attrs=userPassword by anonymous auth by * none", "access to * by users read"];
const UNLIMITED = `limits dn.exact="${READER}" size=unlimited size.prtotal=unlimited`;

describe.skipIf(slapd.path === undefined)(`slapd with its default size limit${slapd.note}`, () => {
  const running: Directory[] = [];
  async function asReader(lines: readonly string[]) {
    const directory = await startDirectory([...READS, ...lines]);
    running.push(directory);
    await asAdmin(directory, async (client) => {
      await client.add(READER, { objectClass: "person", cn: "reader", sn: "r", userPassword: PASSWORD });
      for (let n = 0; n < 600; n += 1)
        await client.add(`cn=team-${n},${BASE}`, { objectClass: "groupOfNames", cn: `team-${n}`, member: READER });
    });
    return callsOf(directory, { config: { bindDn: READER } });
  }
  let limited: Awaited<ReturnType<typeof asReader>>;
  let unlimited: Awaited<ReturnType<typeof asReader>>;
  beforeAll(async () => {
    limited = await asReader([]);
    unlimited = await asReader([UNLIMITED]);
  });
  afterAll(() => Promise.all(running.map((each) => each.stop())));

  it("counts the entries of all pages against it, so that a listing is refused and not taken for whole", async () => {
    const groups = listAll((page) => limited.listResources("group", page), 1_000);
    await expect(groups).rejects.toMatchObject({ errorClass: "permission", code: "ldap_4" });
    await expect(limited.testConnection()).rejects.toMatchObject({ errorClass: "permission", code: "ldap_4" });
  });

  it("lists all to a user whose limits are lifted", async () => {
    const { items, complete } = await listAll((page) => unlimited.listResources("group", page), 1_000);
    expect([items.length, complete]).toEqual([600, true]);
  });

  it("is not asked with a filter whose attribute its schema lacks, which would find no entry", async () => {
    const identityFilter = "(&(objectClass=person)(!(departmentNumbr=7)))";
    const calls = callsOf(running[1] as Directory, { config: { identityFilter } });
    await expect(calls.discoverAssets({ limit: 9 })).rejects.toMatchObject({ errorClass: "config", code: "filter" });
    expect((await calls.testConnection()).checks.find(({ id }) => id === "filter")).toMatchObject({ status: "fail" });
  });
});
