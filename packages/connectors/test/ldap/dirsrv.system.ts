import { realSystem } from "@reeve/testkit/programs";

export const dirsrv = realSystem({
  name: "389 Directory Server",
  kind: "Directories",
  source: { debian: "389-ds-base", version: "2.3.1" },
  tests: ["packages/connectors/test/ldap/conformance.test.ts", "packages/connectors/test/ldap/dirsrv.test.ts"],
  suites: ["the conformance suite of connectors"],
  tried: [
    "is connected by its suffix, whose entry has no entryUUID",
    "takes members into a %s and out of it, by ids that renaming keeps",
    "hides its base from a user without rights, which is said and not taken for an empty directory",
    "lists more groups to a user than one page holds, since it counts each page against its limit",
    "is not asked with a filter whose attribute its schema lacks, which would find everybody",
  ],
  mustSet: [
    "Of the directory: access control that lets the user of the connector read and search groups, their members and `nsUniqueId`. Without it the server answers searches as if there were no entries.",
  ],
  unknown: [
    "Its plug-in gives an `entryUUID` only to entries made after its first start, so ids are `nsUniqueId`, which every entry has.",
  ],
});
