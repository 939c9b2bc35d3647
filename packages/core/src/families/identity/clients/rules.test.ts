import { describe, expect, it } from "vitest";
import { builtInRoles } from "#families/index.js";
import type { Principal } from "#kernel/config/principal.js";
import {
  grantedScopes,
  hashSecret,
  isUsable,
  newSecret,
  requireScopes,
  secretMatches,
  shownCredential,
} from "./rules.js";
import type { ClientCredential } from "./schema.js";

const NOW = "2026-03-01T00:00:00.000Z";
const credential: ClientCredential = {
  id: "crd_1",
  version: 3,
  createdAt: NOW,
  createdBy: "usr_1",
  identityId: "idn_1",
  name: "a credential",
  secretHash: hashSecret("a secret"),
  publicJwk: null,
  expiresAt: "2026-03-01T00:00:00.001Z",
  lastUsedAt: null,
  replacedBy: null,
};

describe("secrets", () => {
  it("hold 256 random bits behind a mark, each another", () => {
    const secrets = new Set(Array.from({ length: 100 }, newSecret));
    expect(secrets.size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret.slice("reeve_cs_".length), "base64url")).toHaveLength(32);
  });

  it("match their own hash and no other, whatever stands there", () => {
    const secret = newSecret();
    expect(secretMatches(secret, hashSecret(secret))).toBe(true);
    const others = [
      hashSecret(`${secret} `),
      "",
      "00",
      "not hex",
      hashSecret(secret).slice(2),
      `${hashSecret(secret)}00`,
    ];
    for (const hash of others) expect(secretMatches(secret, hash)).toBe(false);
    expect(secretMatches(hashSecret(secret), hashSecret(secret))).toBe(false);
  });

  it("are in nothing that is shown", () => {
    const shown = shownCredential(credential, NOW);
    expect(shown).toMatchObject({ id: "crd_1", status: "active", method: "client_secret", clientId: "idn_1" });
    expect(JSON.stringify(shown)).not.toContain(credential.secretHash);
    expect(shownCredential({ ...credential, replacedBy: "crd_2" }, NOW).status).toBe("superseded");
    expect(shownCredential({ ...credential, replacedBy: "crd_2" }, credential.expiresAt).status).toBe("expired");
  });
});

describe("a client", () => {
  it.each([
    [true, null, true],
    [true, "2026-03-01T00:00:00.001Z", true],
    [true, NOW, false],
    [false, null, false],
  ])("allowed %s until %s is usable: %s", (allowed, expiresAt, usable) => {
    expect(isUsable({ allowed, expiresAt }, NOW)).toBe(usable);
  });

  it("has those scopes that exist and that machines may have", () => {
    expect(grantedScopes(builtInRoles, ["ai-asset:read", ...builtInRoles.humanOnly, "gone:read", "__proto__"])).toEqual(
      ["ai-asset:read"],
    );
  });

  it("is given nothing that the giver does not hold", () => {
    const giver = { permissions: new Set(["ai-asset:read"]) } as unknown as Principal;
    expect(() => requireScopes(giver, ["ai-asset:read"])).not.toThrow();
    expect(() => requireScopes(giver, ["ai-asset:read", "user:read"])).toThrow('You do not hold "user:read"');
  });
});
