import { CAPABILITIES, type Capability } from "#connectors/capabilities.js";
import { CATEGORIES } from "#connectors/manifest.js";
import { statesOf } from "#kernel/records/machine.js";
import { z } from "#schema/z.js";
import { instanceHealth } from "../instances/health/machine.js";

const ProviderKey = z.string().meta({ description: "Key of the connector; it never changes.", example: "postgres" });
const category = z.enum(CATEGORIES).meta({ description: "What kind of system it is for." });
const counts = {
  enabled: z.boolean().meta({ description: "Whether the tenant lets it be used." }),
  instances: z.int().min(0).meta({ description: "Connections of the tenant that it is used for." }),
  worstHealth: z.enum(statesOf(instanceHealth)).nullable().meta({ description: "Of these; `null` without any." }),
};

/** A connector of the host, as a tenant sees it. */
export const ConnectorDefinition = z
  .object({
    providerKey: ProviderKey,
    displayName: z.string().meta({ description: "The name that people are shown." }),
    category,
    version: z.string().meta({ description: "Semantic version of the connector." }),
    description: z.string().meta({ description: "What it is for." }),
    docsUrl: z.string().nullable().meta({ description: "Where the system is described." }),
    capabilities: z
      .array(z.enum(Object.keys(CAPABILITIES) as [Capability, ...Capability[]]))
      .meta({ description: "What it can do." }),
    ...counts,
  })
  .meta({ id: "ConnectorDefinition" });
export type ConnectorDefinition = z.output<typeof ConnectorDefinition>;

export const ConnectorStatus = z
  .object({ providerKey: ProviderKey, ...counts })
  .meta({ id: "ConnectorStatus", description: "How the connections of one connector fare." });

export const ConnectorCategory = z
  .object({ category, connectors: z.int().min(1).meta({ description: "How many connectors are of it." }) })
  .meta({ id: "ConnectorCategory" });

/** The manifest as its author wrote it, with the schema of the configuration. */
export const ConnectorManifest = z
  .looseObject({
    providerKey: ProviderKey,
    version: z.string().meta({ description: "Semantic version of the connector." }),
    configurationSchema: z.record(z.string(), z.unknown()).meta({
      description: "JSON Schema of configuration and secrets; secrets are `writeOnly`.",
    }),
    secretPaths: z.array(z.string()).meta({ description: "JSON Pointers of the secrets in it." }),
  })
  .meta({ id: "ConnectorManifest" });

export const ByProviderKey = z.object({ providerKey: z.string().max(50).meta({ description: "Key of a connector." }) });
