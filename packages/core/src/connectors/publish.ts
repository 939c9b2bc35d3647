import { z } from "#schema/z.js";
import type { Connector } from "./connector.js";
import type { JsonSchema, Manifest } from "./manifest.js";

/** A manifest as it is published: with the schema of the configuration, and where in it the secrets are. */
export interface PublishedManifest extends Manifest {
  readonly configurationSchema: JsonSchema;
  /** JSON Pointers of properties that are written and never shown. */
  readonly secretPaths: readonly string[];
}

export function publishedManifest(connector: Connector): PublishedManifest {
  const secretPaths = Object.keys(connector.secrets.shape).map((name) => `/${name}`);
  return { ...connector.manifest, configurationSchema: publishedSchema(connector), secretPaths };
}

/** Configuration and secrets in one JSON Schema. Secrets are `writeOnly`. */
export function publishedSchema({ configuration, secrets }: Connector): JsonSchema {
  const hidden = Object.entries(secrets.shape).map(([name, schema]) => [
    name,
    (schema as z.ZodType).meta({ ...(schema as z.ZodType).meta(), writeOnly: true }),
  ]);
  return z.toJSONSchema(configuration.extend(Object.fromEntries(hidden)).strict(), { io: "input" });
}

/** Names that say where calls go, or how a target proves who it is, whatever their format. */
const OF_TARGETS = /^(address|ca|command|domain|endpoint|host|port|proxy|server|tls|transport|url)$/i;

/**
 * Properties of the configuration that decide who gets the secrets: addresses, by their format or name, and those that
 * the manifest names.
 */
export function targetProperties({ manifest, configuration }: Connector): ReadonlySet<string> {
  const { properties = {} } = z.toJSONSchema(configuration, { io: "input" }) as {
    readonly properties?: Readonly<Record<string, { readonly format?: string }>>;
  };
  const known = Object.keys(properties).filter((name) => properties[name]?.format === "uri" || OF_TARGETS.test(name));
  return new Set([...known, ...(manifest.targetProperties ?? [])]);
}
