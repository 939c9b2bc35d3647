import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Collection } from "#kernel/records/collection.js";
import { collections } from "#reference/index.js";
import { defineCollection } from "#testing/index.js";

/** Names of properties that may hold secrets. */
const SMELLS = /passw|secret|sealed|hash|token|private|credential|nonce|otp|cipher|apikey|fingerprint|signature/i;
/** Names that match and hold no secret. */
const HARMLESS: readonly string[] = ["findings.fingerprint"];

/** Whether the SQL console shows records of the collection. */
const isShown = ({ secrets, resource }: Collection) => secrets !== undefined || resource !== undefined;

/** The paths of all properties of a record that may hold secrets, such as `a.b` for nested ones. */
function smelling(collection: Collection): string[] {
  const { properties = {} } = z.toJSONSchema(collection.schema, { unrepresentable: "any", io: "output" });
  const ofFields = Object.keys(collection.fields).filter((name) => SMELLS.test(name));
  return [...new Set([...pathsOf(properties as Record<string, Schema>), ...ofFields])];
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

const told = ({ secrets = [] }: Collection, path: string) => !secrets.includes(path.split(".")[0] as string);

describe("what collections keep secret", () => {
  it.each(collections.map((collection) => [collection.name, collection] as const))(
    "%s declares whatever looks like a secret",
    (name, collection) => {
      if (!isShown(collection)) return;
      const open = smelling(collection).filter((path) => told(collection, path));
      expect(open.filter((path) => !HARMLESS.includes(`${name}.${path}`))).toEqual([]);
    },
  );

  it.each(collections.map((collection) => [collection.name, collection] as const))(
    "%s names only properties that its records have",
    (_name, { secrets = [], schema }) => {
      const { properties = {} } = z.toJSONSchema(schema, { unrepresentable: "any", io: "output" });
      expect(secrets.filter((name) => !(name in properties))).toEqual([]);
    },
  );

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
