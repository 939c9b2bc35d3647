import { realSystem } from "@reeve/testkit/programs";

const here = "packages/connectors/test";

export const slapd = realSystem({
  name: "OpenLDAP slapd",
  kind: "Directories",
  source: { debian: "slapd", version: "2.5.13" },
  tests: [
    `${here}/ldap/access.test.ts`,
    `${here}/ldap/attacks.test.ts`,
    `${here}/ldap/conformance.test.ts`,
    `${here}/ldap/size-limit.test.ts`,
    `${here}/governed/ldap.test.ts`,
  ],
  suites: ["the conformance suite of connectors"],
  tried: [
    "shows its groups, whole and page by page",
    "loses no member that somebody else adds at the same time",
    "keeps grants when people and groups are renamed",
    "counts the entries of all pages against it, so that a listing is refused and not taken for whole",
    "is not asked with a filter whose attribute its schema lacks, which would find no entry",
    "is granted, seen when it is lost, repaired, and revoked when the directory has confirmed it",
  ],
  mustSet: [],
  unknown: [
    "The size limit of the account counts the entries of all pages together: a listing that meets it is partial.",
  ],
});
