import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Connector, defineConnector, type Manifest, publishedManifest } from "#connectors/index.js";

const manifest: Manifest = {
  providerKey: "acme",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "Acme",
  category: "code",
  description: "Models of Acme.",
  capabilities: ["test", "discover"],
};
const configuration = z.object({ url: z.url(), team: z.string().default("all") });
const secrets = z.object({ token: z.string().min(1).meta({ description: "A token." }) });
const methods = {
  testConnection: async () => ({ checks: [], target: null }),
  discoverAssets: async () => ({ items: [], complete: true }),
};
const acme = (more: object = {}, of: Partial<Manifest> = {}): Connector =>
  defineConnector({ manifest: { ...manifest, ...of }, configuration, secrets, ...methods, ...more });

describe("a connector", () => {
  it("publishes one schema with its secrets as write-only, and where they are", () => {
    const { configurationSchema, secretPaths } = publishedManifest(acme());
    expect(secretPaths).toEqual(["/token"]);
    expect(configurationSchema).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["url", "token"],
      properties: { url: { type: "string", format: "uri" }, token: { description: "A token.", writeOnly: true } },
    });
  });

  const grants = {
    grant: async () => ({ outcome: "applied" }),
    listResources: async () => ({ items: [], complete: true }),
  };
  const place = {
    type: "team",
    displayName: "Team",
    idStability: "immutable",
    profileSource: "static",
    grantableTo: ["user"],
  } as const;
  it.each([
    ["capabilities: discover is missing, which discoverAssets implements", {}, { capabilities: ["test"] as const }],
    ["verify: verify is claimed and not implemented", {}, { capabilities: ["test", "discover", "verify"] as const }],
    [
      "capabilities: grant needs revoke",
      grants,
      {
        capabilities: ["test", "discover", "grant", "resources"] as const,
        expiry: "managed" as const,
        resourceTypes: [place],
      },
    ],
    ["providerKey: use 2 to 50 lower-case letters, digits and dashes", {}, { providerKey: "Acme!" }],
    ["version: it is no semantic version", {}, { version: "one" }],
    ["targetProperties: host is no property of the configuration", {}, { targetProperties: ["host"] }],
    ["egressHosts: https://a is no host name", {}, { egressHosts: ["https://a"] }],
    ["limits.callSeconds: use 1 to 60", {}, { limits: { callSeconds: 600 } }],
    ["resourceTypes: team is there twice", {}, { resourceTypes: [place, place] }],
    ["resourceTypes: team is below org, which is not known", {}, { resourceTypes: [{ ...place, parentType: "org" }] }],
    ["secrets: url is a property of the configuration too", { secrets: z.object({ url: z.string() }) }, {}],
    ["secrets: token is no text", { secrets: z.object({ token: z.number() }) }, {}],
    ["configuration: JSON Schema cannot say it", { configuration: z.object({ at: z.date() }) }, {}],
    [
      "requiredPermissions: grant is not claimed",
      {},
      { requiredPermissions: [{ capability: "grant" as const, permission: "x", why: "y" }] },
    ],
    ["usage: it goes with the capability of the same name", {}, { usage: { granularity: "profile" as const } }],
  ])("with a mistake is refused: %s", (mistake, more, of) => {
    expect(() => acme(more, of)).toThrow(mistake);
  });
});
