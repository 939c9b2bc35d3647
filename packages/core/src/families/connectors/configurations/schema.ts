import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { InstanceConfiguration } from "../instances/fields.js";

/** One difference between two configurations. Of a secret nothing is told but that it differs. */
export const ConfigurationChange = z.object({
  path: z.string().meta({ description: "JSON Pointer to the property." }),
  from: z.unknown().optional().meta({ description: "What it was; absent when it was not there." }),
  to: z.unknown().optional().meta({ description: "What it is; absent when it is gone." }),
  hidden: z.literal(true).optional().meta({ description: "Its values are secret." }),
});
export type ConfigurationChange = z.output<typeof ConfigurationChange>;

/** A configuration that an instance had or has. */
export const ConfigurationVersion = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time.meta({ description: "The time when the configuration was made." }),
  createdBy: z.string().meta({ description: "Id of who made it so." }),
  instanceId: z.string(),
  number: z.int().min(1).meta({ description: "The `configurationVersion` of the connection." }),
  configuration: InstanceConfiguration,
  changes: z.array(ConfigurationChange).meta({ description: "What is other than in the one before." }),
  reason: z.string().nullable().meta({ description: "The reason in words." }),
});
export type ConfigurationVersion = z.output<typeof ConfigurationVersion>;

/** Every configuration of each instance. */
export const configurationVersions = defineCollection<ConfigurationVersion>({
  name: "connector_configurations",
  prefix: "ccv",
  schema: ConfigurationVersion,
  fields: { instanceId: { type: "text" } },
  indexes: [{ where: ["instanceId"] }],
  secrets: [],
});
