import { connectorConformance } from "@reeve/testkit/connectors";
import { describe } from "vitest";
import { BLIND, conformanceTarget } from "./conformance-target.js";
import { ADMIN, asAdmin, BASE, connector, slapd, startDirectory } from "./directory.js";
import { asManager, dirsrv, MANAGER, startDirsrv } from "./dirsrv.js";

describe.skipIf(slapd.path === undefined)(`with slapd${slapd.note}`, () => {
  connectorConformance(connector, async () => {
    const directory = await startDirectory([
      `access to attrs=member by dn.exact="${BLIND}" =w`,
      `access to * by dn.exact="${BLIND}" write by anonymous auth`,
    ]);
    return conformanceTarget(directory, { admin: ADMIN, as: asAdmin, id: "entryUUID", sshKeys: true });
  });
});

const RIGHTS = [
  `(targetattr="member")(version 3.0; acl "changes members"; allow (write, add, delete) userdn="ldap:///${BLIND}";)`,
  `(targetattr!="member")(version 3.0; acl "sees the rest"; allow (read, search, compare) userdn="ldap:///${BLIND}";)`,
];

describe.skipIf(dirsrv.path === undefined)(`with 389 Directory Server${dirsrv.note}`, () => {
  connectorConformance(connector, async () => {
    const directory = await startDirsrv();
    await asManager(directory, async (client) => {
      const { Attribute, Change } = await import("ldapts");
      const modification = new Attribute({ type: "aci", values: RIGHTS });
      await client.modify(BASE, new Change({ operation: "add", modification }));
    });
    return conformanceTarget(directory, { admin: MANAGER, as: asManager, id: "nsUniqueId", sshKeys: false });
  });
});
