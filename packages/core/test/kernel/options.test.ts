import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createControlPlane } from "#control-plane/create.js";
import { DEFAULTS } from "#families/options.js";
import { CAPABILITIES } from "#families/platform/index.js";
import { createMemoryStore } from "#store/memory/memory-store.js";

const MASTER_KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const sound = () => ({ store: createMemoryStore(), masterKey: MASTER_KEY, baseUrl: "https://host.example" });

/** The lines of an error without its heading. */
function faults(config: unknown): string[] {
  try {
    createControlPlane(config as never);
  } catch (error) {
    const [heading, ...lines] = (error as Error).message.split("\n");
    expect(heading).toMatch(/createControlPlane cannot work with these options:$/);
    return lines;
  }
  return [];
}

const ecKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

describe("createControlPlane", () => {
  it("says what it needs when it is given nothing", () => {
    for (const nothing of [undefined, null, {}, "x"]) {
      expect(faults(nothing)).toEqual([
        expect.stringMatching(/^- store is required: a store, as createSqliteStore, /),
        expect.stringMatching(/^- masterKey is required: 32 random bytes .*openssl rand -base64 32/),
        expect.stringMatching(/^- baseUrl is required: the public address, as "https:/),
      ]);
    }
  });

  it("points at the line of the host", () => {
    const frames = (fault: unknown) => (fault as Error).stack?.split("\n").filter((line) => /^\s+at /.test(line));
    try {
      createControlPlane({ ...sound(), masterKey: undefined });
      expect.unreachable();
    } catch (fault) {
      expect(frames(fault)?.[0]).toContain("options.test.ts");
    }
  });

  it("leaves a fault that is no option where it arose", () => {
    const logger = {
      get info(): never {
        throw new TypeError("the logger has none");
      },
    };
    try {
      createControlPlane({ ...sound(), logger: logger as never });
      expect.unreachable();
    } catch (fault) {
      expect((fault as Error).stack).toMatch(/the logger has none\n +at .*get info/);
    }
  });

  it("names all faults at once, each on a line of its own", () => {
    const config = { ...sound(), masterKey: undefined, registration: "maybe", tokenLifetime: 1, regsitration: "open" };
    expect(faults(config)).toEqual([
      "- regsitration is no option; did you mean registration?",
      expect.stringMatching(/^- masterKey is required/),
      '- registration must be "open", "verified_email" or "closed", not "maybe"',
      "- tokenLifetime must be a whole number from 60 to 86,400, not 1",
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ["store", "x.db", /^- store must be a store, as createSqliteStore.*; it has no method migrate, /],
    ["store", {}, /^- store must be a store/],
    ["masterKey", new Uint8Array(16), /^- masterKey must be 32 random bytes .*: must be 32 bytes$/],
    ["masterKey", new Uint8Array(32), /^- masterKey must be 32 random bytes .*: must be random bytes$/],
    ["masterKey", "secret-of-mine", /^- masterKey must be 32 random bytes/],
    ["masterKey", 42, /^- masterKey must be .*, not of type number$/],
    ["masterKey", { current: 2, keys: { 1: MASTER_KEY } }, /^- masterKey must be .*: there is no key number 2$/],
    ["baseUrl", "localhost:3000", /^- baseUrl must be an http or https URL .*, not "localhost:3000"$/],
    ["baseUrl", "nowhere", /^- baseUrl must be an http or https URL/],
    ["setPasswordUrl", "https://host.example/#x", /^- setPasswordUrl must be an http or https URL without a fragment/],
    ["logger", {}, /^- logger must be a logger, as pino's is; it has no method info, warn, error$/],
    ["mailer", "smtp://host", /^- mailer must be a mailer; it has no method send$/],
    ["connectors", [{ manifest: {} }], /^- connectors must be a list of connectors, .*; entry 0 is none$/],
    ["authenticate", {}, /^- authenticate must be a function, not {}$/],
    ["requireIfMatch", "yes", /^- requireIfMatch must be true or false, not "yes"$/],
    ["missingTokenStatus", 404, /^- missingTokenStatus must be 401 or 403, not 404$/],
    ["signingAlgorithm", "HS256", /^- signingAlgorithm must be "ES256", "EdDSA" or "RS256", not "HS256"$/],
    ["passwordMinLength", 7, /^- passwordMinLength must be a whole number from 8 to 128, not 7$/],
    ["defaultCapabilities", ["everything"], /^- defaultCapabilities entry "everything" is none; there are identity_f/],
    ["defaultCapabilities", "ai_registry", /^- defaultCapabilities must be a list of capabilities, not "ai_registry"$/],
    ["rateLimits", { tenant: 0 }, /^- rateLimits\.tenant must be a whole number from 1 to 1,000,000,000, not 0$/],
    ["retentionDays", { reviews: 9 }, /^- retentionDays has no kind \["reviews"\]; there are diagnostics, traffic, /],
    ["retentionDays", { syncs: 0 }, /^- retentionDays\.syncs must be a whole number/],
    ["retentionDays", { deletedRecords: 1.5 }, /^- retentionDays\.deletedRecords must be a whole number from 1 to/],
    ["retentionDays", { sessions: -1 }, /^- retentionDays\.sessions must be a whole number/],
    ["retentionDays", { closedTenants: 6 }, /^- retentionDays\.closedTenants must be a whole number from 7 to 36,500/],
    ["retentionDays", { closedTenants: "30" }, /^- retentionDays\.closedTenants must be a whole number/],
    ["retentionDays", 30, /^- retentionDays must be days by kind, not 30/],
    ["rateLimits", { visitor: 9 }, /^- rateLimits has no bucket "visitor"; there are tenant, principal, /],
    ["rateLimits", "on", /^- rateLimits must be limits by bucket or "off", not "on"$/],
    ["egressAllow", ["a.example", "10.0.0.1/8"], /^- egressAllow entry "10\.0\.0\.1\/8" has address bits beyond/],
    ["dnsServers", ["nowhere"], /^- dnsServers entry "nowhere"/],
    [
      "trustedIssuers",
      [{ issuer: "https://host.example", audience: "a" }],
      /^- trustedIssuers\[0\]\.issuer must not name this service itself$/,
    ],
    ["agentCardKeys", [], /^- agentCardKeys must be a JWK Set$/],
    ["roles", { "Big Boss": { permissions: [] } }, /^- roles\.Big Boss must be named with a-z, 0-9 and _/],
    [
      "roles",
      { librarian: { permissions: ["book:burn"] } },
      /^- roles\.librarian has an unknown permission "book:burn"$/,
    ],
    ["roleMap", { staff: ["boss"] }, /^- roleMap names no role by \["boss"\]; there are owner, /],
    ["roleMap", { staff: "owner" }, /^- roleMap must be lists of roles/],
    ["roles", ["librarian"], /^- roles must be roles by their name/],
    ["checkpointKey", ecKey, /^- checkpointKey must be an Ed25519 private key, as PEM or KeyObject$/],
    ["timestampUrl", "tsa.example", /^- timestampUrl must be an http or https URL without a fragment/],
    ["activityRetentionDays", 1.5, /^- activityRetentionDays must be a whole number/],
  ])("refuses %s = %j", (name, value, line) => {
    const found = faults({ ...sound(), [name]: value });
    expect(found).toEqual([expect.stringMatching(line)]);
  });

  it("never shows a key", () => {
    const secrets = ["c2VjcmV0LW9mLW1pbmU", "-----BEGIN PRIVATE KEY-----secret-of-mine"];
    for (const secret of secrets) {
      const reported = faults({ ...sound(), masterKey: secret, checkpointKey: secret }).join("\n");
      expect(reported).toContain("masterKey");
      expect(reported).toContain("checkpointKey");
      expect(reported).not.toContain(secret);
    }
  });

  it("says at ready() that the store was made with another master key", async () => {
    const store = createMemoryStore();
    await createControlPlane({ ...sound(), store }).ready();
    const other = createControlPlane({ ...sound(), store, masterKey: Buffer.from(MASTER_KEY).reverse() });
    await expect(other.ready()).rejects.toThrow(/master key "1" is not at hand, or is another one/i);
  });

  it("G15 licenses every capability unless it is told otherwise, and starts with what is sound", () => {
    expect(faults({ ...sound(), mailer: undefined, rateLimits: undefined })).toEqual([]);
    expect(DEFAULTS.defaultCapabilities).toEqual(Object.keys(CAPABILITIES));
  });
});
