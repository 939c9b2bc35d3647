import { realSystem } from "@reeve/testkit/programs";

export const openssl = realSystem({
  name: "OpenSSL",
  kind: "Time stamping authority",
  source: { debian: "openssl", version: "newest" },
  tests: [
    "packages/core/test/activity/each-store/time-stamps.test.ts",
    "packages/verify-chain/test/time-stamp.test.ts",
  ],
  tried: [
    "are had for each tenant's own checkpoint, and OpenSSL verifies them",
    "are had of one that signs by RSA",
    "is told with its policy, and OpenSSL verifies the file by the command that is told",
  ],
  mustSet: ["`egressAllow` where it is not public https"],
  unknown: [],
});
