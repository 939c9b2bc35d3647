import { describe, expect, it } from "vitest";
import type { Collection } from "#kernel/records/collection.js";
import { collections } from "#reference/index.js";
import { z } from "#schema/z.js";
import { defineCollection } from "#testing/index.js";

/** Names of properties that may hold secrets. */
const SMELLS = /passw|secret|sealed|hash|token|private|credential|nonce|otp|cipher|apikey|fingerprint|signature/i;
/**
 * Names that match and hold no secret: hashes and fingerprints of what may be shown, public certificates and signatures,
 * what is said of a secret that is kept elsewhere, and the token of a domain's proof, which its DNS shows to all.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  "access_assignments.approvedHash",
  "access_certification_items.snapshot.definitionHash",
  "access_certification_items.snapshot.scopeHash",
  "access_certifications.report.itemsHash",
  "access_certifications.reportHash",
  "access_drift.fingerprint",
  "access_drift_scans.credentialsComplete",
  "access_identities.knownCredentials",
  "access_identities.knownCredentials.credentials",
  "access_profiles.approvedHash",
  "access_profiles.definitionHash",
  "access_requests.assignmentHash",
  "access_requests.evaluation.inputsHash",
  "access_requests.items.definitionHash",
  "access_requests.scopeHash",
  "access_requests.votes.scopeHash",
  "access_resources.fingerprint",
  "access_resources.previousFingerprint",
  "access_uses.argsHash",
  "access_uses.tokenId",
  "agent_tool_tokens.honeytoken",
  "agent_tool_tokens.tools.schemaHash",
  "ai_agents.agentCard.signatures",
  "ai_agents.agentCard.signatures.signature",
  "ai_agents.signatureStatus",
  "ai_identities.credentialExpiresAt",
  "ai_identities.credentialIssuedAt",
  "ai_identities.credentialRef",
  "ai_models.artifactHashes",
  "ai_usage_days.tokens",
  "chain_checkpoints.timeStamp.token",
  "connector_imports.planHash",
  "connector_instances.secrets",
  "exemptions.scope.fingerprint",
  "findings.fingerprint",
  "mcp_servers.auth.secretSetAt",
  "saml_apps.encryptionCertificate.fingerprint",
  "saml_apps.signingCertificates.fingerprint",
  "tenants.alias.token",
]);

/** Whether the SQL console shows records of the collection. */
const isShown = ({ secrets, resource }: Collection) => secrets !== undefined || resource !== undefined;

/** The paths of all properties of a record that may hold secrets, such as `a.b` for nested ones. */
function smelling(collection: Collection): string[] {
  const ofFields = Object.keys(collection.fields).filter((name) => SMELLS.test(name));
  return [...new Set([...pathsOf(propertiesOf(collection)), ...ofFields])];
}

/** The properties of a record. A schema that has an id is told of by reference. */
function propertiesOf({ schema }: Collection): Readonly<Record<string, Schema>> {
  const { $ref = "", $defs = {}, ...own } = z.toJSONSchema(schema, { unrepresentable: "any", io: "output" });
  const { properties } = ($defs[$ref.replace("#/$defs/", "")] ?? own) as Schema;
  return properties as Readonly<Record<string, Schema>>;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

function pathsOf(properties: Readonly<Record<string, Schema>>, before = ""): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${before}${name}`;
    return [...(SMELLS.test(name) ? [path] : []), ...objectsIn(schema).flatMap((more) => pathsOf(more, `${path}.`))];
  });
}

/** The properties of all objects within a schema. */
function objectsIn({ properties, items, anyOf = [] }: Schema): Readonly<Record<string, Schema>>[] {
  return [...(properties ? [properties] : []), ...[...(items ? [items] : []), ...anyOf].flatMap(objectsIn)];
}

const reported = ({ secrets = [] }: Collection, path: string) => !secrets.includes(path.split(".")[0] as string);

describe("what collections keep secret", () => {
  it.each(collections.map((collection) => [collection.name, collection] as const))(
    "%s declares whatever looks like a secret",
    (name, collection) => {
      if (!isShown(collection)) return;
      const open = smelling(collection).filter((path) => reported(collection, path));
      expect(open.filter((path) => !HARMLESS.has(`${name}.${path}`))).toEqual([]);
    },
  );

  it.each(collections.map((collection) => [collection.name, collection] as const))(
    "%s names only properties that its records have",
    (_name, collection) => {
      const { secrets = [] } = collection;
      const properties = propertiesOf(collection);
      expect(secrets.filter((name) => !(name in properties))).toEqual([]);
    },
  );

  it("sees each property that is called harmless", () => {
    const seen = new Set(collections.flatMap((one) => smelling(one).map((path) => `${one.name}.${path}`)));
    expect([...HARMLESS].filter((path) => !seen.has(path))).toEqual([]);
  });

  it("would be missed in a new collection, wherever in the record it is", () => {
    const schema = z.object({
      id: z.string(),
      version: z.int(),
      createdAt: z.string(),
      clientSecret: z.string(),
      access: z.array(z.object({ apiKey: z.string().nullable() })).nullable(),
    });
    const wrong = defineCollection({ name: "new_ones", prefix: "new", schema, secrets: [] });
    expect(smelling(wrong as unknown as Collection)).toEqual(["clientSecret", "access.apiKey"]);
  });

  it("is some of what there is", () => {
    expect(collections.filter(({ secrets = [] }) => secrets.length > 0).length).toBeGreaterThanOrEqual(3);
  });
});
