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
  {
    breaks: "a sign-in by an OpenID provider counts as often as it is sent",
    file: `${sources}/sign-in/openid/operations.ts`,
    text: "if (!(await useAttempt(ctx, attempt)))",
    replacement: "if (!attempt)",
    witnesses: tests(
      "packages/core/test/identity/each-store/openid-sign-in.test.ts",
      "a sign-in by an OpenID provider counts once, of several at once too",
    ),
  },
  {
    breaks: "a sign-in by an OpenID provider counts for whoever shows its state",
    file: `${sources}/sign-in/openid/keep-attempt.ts`,
    text: "attempt?.state === state && attempt && attempt",
    replacement: "attempt && attempt",
    witnesses: tests(
      "packages/core/test/identity/each-store/openid-sign-in.test.ts",
      "a sign-in by an OpenID provider counts for the browser that set out, alone",
    ),
  },
  {
    breaks: "a sign-in at a provider leads out of the console",
    file: `${sources}/sign-in/openid/send-browser.ts`,
    text: "url.origin === home.origin && url.pathname.startsWith(home.pathname)",
    replacement: "url.origin === home.origin",
    witnesses: tests(
      "packages/core/test/identity/each-store/openid-sign-in.test.ts",
      "a sign-in by an OpenID provider leads nowhere but into the console: ../../elsewhere",
    ),
  },
  {
    breaks: "a provider that says nothing of a second factor signs people in where one is demanded",
    file: `${sources}/sign-in/openid/accept-person.ts`,
    text: "if (!hasFactor && (await isRequired(env, tenantId)))",
    replacement: "if (!hasFactor && (await isRequired(env, tenantId)) && token.claims.amr !== undefined)",
    witnesses: tests(
      "packages/core/test/identity/each-store/openid-sign-in.test.ts",
      "a second factor at the provider is proven where the provider says so, and is asked for where a tenant demands one",
    ),
  },
  {
    breaks: "a session of a person without an account goes on when the account is made",
    file: `${sources}/sign-in/authenticate/principals.ts`,
    text: "if (await hasAccount(this.env, tenantId, session))",
    replacement: "if (session.subject === null)",
    witnesses: tests(
      "packages/core/test/identity/each-store/openid-sign-in.test.ts",
      "people whom only the provider knows come again once they have an account, which may be disabled",
    ),
  },
  {
    breaks: "a session goes on when its issuer is trusted no more",
    file: `${sources}/sign-in/authenticate/principals.ts`,
    text: "if (issuer !== null) return this.#ofIssuer(tenantId, session, issuer);",
    replacement:
      "if (issuer !== null && optionsOf(this.env).trustedIssuers.length > 0) return this.#ofIssuer(tenantId, session, issuer);",
    witnesses: tests(
      "packages/core/test/identity/each-store/openid-sign-in.test.ts",
      "a sign-in by an OpenID provider ends when the issuer is trusted no more",
    ),
  },
  {
    breaks: "a browser session outlives that the tenant has come to demand a second factor",
    file: `${sources}/sign-in/authenticate/principals.ts`,
    text: "if (!withFactor && (await isRequired(this.env, tenantId))) throw",
    replacement: "if (!withFactor && !this.env) throw",
    witnesses: tests(
      "packages/core/test/identity/each-store/second-factor.test.ts",
      "a tenant that demands a second factor ends browser sessions from before, and signs browsers in by code as it does others",
    ),
  },
  {
    breaks: "a code of an app counts twice",
    file: `${sources}/second-factors/prove/prove-factor.ts`,
    text: "matchingStep(secret, code, nowMs, now.usedStep)",
    replacement: "matchingStep(secret, code, nowMs, null)",
    witnesses: tests(
      "packages/core/test/identity/each-store/second-factor.test.ts",
      "a person with an app for one-time passwords gets in once by a code that is sent twenty times at once",
    ),
  },
];
