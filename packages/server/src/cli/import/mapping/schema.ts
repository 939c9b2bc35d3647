import type { ControlPlane } from "@reeve/core";

/** A schema of the API description. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

type Schemas = Readonly<Record<string, Schema>>;

/** Typed records, by the schema of their requests. */
const RECORDS = ["AiAgentRequest", "AiModelRequest", "AiToolRequest", "AiIdentityRequest", "McpServerRequest"];

/** The schema of an item of an import, as the API describes assets and their typed records, without references. */
export function itemSchema(controlPlane: Pick<ControlPlane, "openapi">): Schema {
  const { schemas } = controlPlane.openapi().components as { readonly schemas: Schemas };
  const asset = resolved({ $ref: "#/components/schemas/AiAssetRequest" }, schemas);
  const records = RECORDS.map((name) => resolved({ $ref: `#/components/schemas/${name}` }, schemas));
  const own = Object.entries(Object.assign({}, ...records.map(({ properties }) => properties)) as Schemas);
  const record = Object.fromEntries(own.filter(([name]) => !Object.hasOwn(asset.properties ?? {}, name)));
  const { status = {} } = asset.properties ?? {};
  return {
    ...asset,
    properties: {
      ...asset.properties,
      ref: { type: "string" },
      record: { type: "object", properties: { ...record, status: { ...status, enum: [] } } },
    },
  };
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf = [], ...own } = schema;
  const named = $ref === undefined ? {} : (schemas[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {});
  const parts = [...($ref === undefined ? [] : [named]), ...allOf].map((part) => resolved(part, schemas));
  const { properties, items, additionalProperties } = own;
  const plain: Schema = {
    ...own,
    ...(properties ? { properties: mapped(properties, schemas) } : {}),
    ...(items ? { items: resolved(items, schemas) } : {}),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: resolved(additionalProperties, schemas) }
      : {}),
  };
  return parts.reduceRight(joined, plain);
}

function mapped(properties: Schemas, schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, resolved(inner, schemas)]));
}

function joined(one: Schema, other: Schema): Schema {
  const properties = { ...other.properties, ...one.properties };
  return { ...other, ...one, ...(Object.keys(properties).length > 0 ? { properties } : {}) };
}

/** The shape of a value in a few characters, as `{type, id, name}`. */
export function shapeOf(schema: Schema): string {
  if (schema.properties) return `{${Object.keys(schema.properties).join(", ")}}`;
  if (schema.items) return `a list of ${schema.items.properties ? shapeOf(schema.items) : "texts"}`;
  if (schema.additionalProperties) return "{name: value, …}";
  return schema.enum ? schema.enum.join(", ") : (schema.format ?? schema.type ?? "any value");
}
