import { describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { columnValues, fieldValue, planFind, planLookup, type StoredCollection } from "#store/index.js";

const COMPOSED = "Caf\u00e9 \u212b";
const DECOMPOSED = COMPOSED.normalize("NFD");

/**
 * Texts of unique keys that are compared code point by code point although another system gives them, each because that system
 * compares them so. All other exact ones are ids, states and digests of Reeve.
 */
const NAMED_ELSEWHERE: Readonly<Record<string, string>> = {
  "foreign_identities.issuer": "OpenID Connect compares issuers without normalisation.",
  "foreign_identities.subject": "OpenID Connect compares subjects without normalisation.",
  "ai_identities.issuer": "OpenID Connect compares issuers without normalisation.",
  "ai_identities.subject": "OpenID Connect compares subjects without normalisation.",
  "ai_tools.toolName": "MCP calls a tool by its exact name.",
  "client_pack_tools.toolName": "Hooks ask about a tool by its exact name.",
  "audit_positions.sink": "A host names its sinks.",
  "saml_apps.entityId": "SAML compares entity ids as they are.",
  "access_uses.externalEventId": "A target names its events.",
  "access_usage_days.subject": "What a target lists is what is revoked there.",
  "access_resources.subject": "What a target lists is what is granted there.",
  "access_profiles.subject": "What a target lists is what is granted there.",
  "access_identities.subject": "What a target lists is who is granted there.",
  "access_drift.subject": "What a target lists is what is revoked there.",
  "connector_assets.subject": "A connected system names its assets.",
  "connector_import_items.subject": "A connected system names its assets.",
  "connector_instance_states.key": "A connector names what it keeps.",
  "connector_traffic.source": "A connector names where calls come from.",
};
const OF_REEVE =
  /^(?:.*Id|.*Hash|createdBy|list|client|.*Key|key|kind|scope|role|slot|use|subject|fingerprint|openOn|openFor|runningFor|waiting|assetType|environment)$/;

interface TextKey {
  readonly of: StoredCollection;
  readonly field: string;
  readonly compare: string | undefined;
}

const all = collections as unknown as readonly StoredCollection[];
const keys: readonly TextKey[] = all.flatMap((of) =>
  [...new Set(Object.values(of.unique).flat())].flatMap((field) => {
    const declared = of.fields[field];
    if (declared?.type !== "text") return [];
    return [{ of, field, compare: "compare" in declared ? declared.compare : undefined }];
  }),
);
const nameOf = ({ of, field }: TextKey) => `${of.name}.${field}`;

describe("each text of a unique key", () => {
  it("declares how it is compared", () => {
    expect(keys.length).toBeGreaterThan(60);
    expect(keys.filter(({ compare }) => compare === undefined).map(nameOf)).toEqual([]);
  });

  it("is compared exactly only when Reeve makes it, or another system that compares it so", () => {
    const exact = keys.filter(({ compare }) => compare === "exact");
    expect(exact.filter((key) => !(nameOf(key) in NAMED_ELSEWHERE) && !OF_REEVE.test(key.field)).map(nameOf)).toEqual(
      [],
    );
    expect(Object.keys(NAMED_ELSEWHERE).filter((name) => !exact.some((key) => nameOf(key) === name))).toEqual([]);
  });

  it.each(keys.map((key) => [nameOf(key), key] as const))("of %s is looked up as it is kept", (_name, key) => {
    const { of, field, compare } = key;
    // How a field is read from a record is another matter than how its text is compared.
    const bare = { ...of, fields: { ...of.fields, [field]: { type: "text", compare } } } as StoredCollection;
    const held = (text: string) =>
      fieldValue(bare, { id: "x", version: 1, createdAt: "", [field]: text } as never, field);
    const unique = { ...bare, unique: { only: [field] }, indexes: [{ where: [field] }] } as StoredCollection;
    const looked = (text: string) => planLookup(unique, "only", { [field]: text })?.[0]?.[1];
    const found = (text: string) => planFind(unique, { where: { [field]: text }, size: 1 }).where[0]?.[1];
    for (const text of [COMPOSED, DECOMPOSED, COMPOSED.toUpperCase()])
      expect([looked(text), found(text)]).toEqual([held(text), held(text)]);
    expect(held(COMPOSED) === held(DECOMPOSED)).toBe(compare !== "exact");
    expect(held("CAF\u00c9") === held("cafe\u0301")).toBe(compare === "caseless");
  });
});

it("texts of filters are canonical too, one or several of a record", () => {
  const of = {
    name: "any",
    fields: { one: { type: "text" }, some: { type: "texts" } },
    unique: {},
    indexes: [],
    scope: "tenant",
  } as unknown as StoredCollection;
  const record = (text: string) => ({
    id: "x",
    version: 1,
    createdAt: "2026-01-05T09:00:00.000Z",
    one: text,
    some: [text],
  });
  expect(columnValues(of, record(DECOMPOSED))).toEqual(columnValues(of, record(COMPOSED)));
});
