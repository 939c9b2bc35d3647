import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BASE,
  callsOf,
  connector,
  type Directory,
  PASSWORD,
  slapd,
  specOf,
  startDirectory,
} from "../ldap/directory.js";
import { governed, grantsAndRevokes } from "./bench.js";

describe.skipIf(slapd.path === undefined)(`access to a real LDAP directory${slapd.note}`, () => {
  let directory: Directory;
  beforeAll(async () => {
    directory = await startDirectory();
  });
  afterAll(() => directory?.stop());

  it("is granted, seen when it is lost, repaired, and revoked when the directory has confirmed it", async () => {
    await directory.person("alice");
    const bob = await directory.person("bob");
    const group = await directory.group("claims", [`uid=alice,${BASE}`]);
    const spec = specOf(group, bob);
    const one = await governed({
      connector,
      configuration: directory.config,
      secrets: { password: PASSWORD },
      ...{ resourceType: spec.resource.type, resource: group, profile: spec.profileExternalId },
      principal: spec.principal,
    });
    const member = `uid=bob,${BASE}`;
    const has = async () => (await directory.members("cn=claims")).includes(member);
    await grantsAndRevokes(one, has, () => callsOf(directory).revoke(spec));
    expect(await directory.members("cn=claims")).toEqual([`uid=alice,${BASE}`]);
  });
});
