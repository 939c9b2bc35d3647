import { realSystem } from "@reeve/testkit/programs";

export const fossil = realSystem({
  name: "Fossil",
  kind: "Code hosts",
  source: { debian: "fossil", version: "2.21" },
  tests: [
    "packages/connectors/test/fossil/fossil.test.ts",
    "packages/connectors/test/fossil/tools.test.ts",
    "packages/connectors/test/fossil/conformance.test.ts",
  ],
  suites: ["the conformance suite of connectors"],
  tried: [
    "lets somebody clone who was denied, and denies again when it is revoked",
    "has granted and revoked once after answers that were lost, hung and lied",
    "finds AI in the newest check-in, beside hostile files",
    "end in Fossil itself with what the user may do there, whatever Reeve believes",
  ],
  mustSet: [],
  unknown: [],
});
