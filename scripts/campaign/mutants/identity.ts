import { type Mutant, onEveryStore, tests } from "../mutant.js";

const sources = "packages/core/src/families/identity";

export const identity: readonly Mutant[] = [
  {
    breaks: "an issuer makes users of addresses that it has not verified",
    file: `${sources}/issuers/verify/new-users.ts`,
    text: " || !isVerified(token, username)) throw",
    replacement: ") throw",
    witnesses: onEveryStore(
      "packages/core/test/identity/each-store/new-users-of-issuers.test.ts",
      "an issuer of one tenant that makes users makes none of an address that is not verified or is none, and none that the tenant has no room for",
    ),
  },
  {
    breaks: "an issuer makes more users than the tenant has room for",
    file: `${sources}/issuers/verify/new-users.ts`,
    text: 'processFacts(env, "link", { tenant })',
    replacement: 'processFacts(env, "link")',
    witnesses: onEveryStore(
      "packages/core/test/identity/each-store/new-users-of-issuers.test.ts",
      "an issuer of one tenant that makes users makes none of an address that is not verified or is none, and none that the tenant has no room for",
    ),
  },
  {
    breaks: "a token revoked by a transaction that took long is taken for good",
    file: `${sources}/tokens/revoked-tokens.ts`,
    text: "timestamp(Date.parse(newest) - OVERLAP)",
    replacement: "newest",
    witnesses: onEveryStore(
      "packages/core/test/identity/each-store/revocations.test.ts",
      "knows of a revocation that was committed late, however many were committed before it",
    ),
  },
  {
    breaks: "people who sign in rightly lock out everybody behind their address",
    file: `${sources}/attempts/limit/gate.ts`,
    text: "giveBack([user, address], [userAndAddress], proven)",
    replacement: "giveBack([user], [userAndAddress], proven)",
    witnesses: tests(
      "packages/core/test/identity/credential-gate.test.ts",
      "the gate of credentials costs whoever proves who they are nothing: neither them, nor the others behind their address",
    ),
  },
  {
    breaks: "people who sign in rightly lock themselves out",
    file: `${sources}/attempts/limit/gate.ts`,
    text: "giveBack([user, address], [userAndAddress], proven)",
    replacement: "giveBack([address], [userAndAddress], proven)",
    witnesses: tests(
      "packages/core/test/identity/credential-gate.test.ts",
      "the gate of credentials costs whoever proves who they are nothing: neither them, nor the others behind their address",
    ),
  },
];
