import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { registryKeyStatus } from "./machine.js";

/** A key in the address of the tenant's MCP registry, without the key itself. */
export const RegistryKey = z
  .object({
    ...recordShape(z.enum(statesOf(registryKeyStatus))),
    rotations: z.int().min(0).meta({ description: "How often it was replaced." }),
    rotatedAt: Time.nullable().meta({ description: "When it was last replaced." }),
  })
  .meta({ id: "RegistryKey" });
export type RegistryKey = z.output<typeof RegistryKey>;

/** Keys that open the tenant's MCP registry to clients that send no token. */
export const registryKeys = defineCollection<RegistryKey>({
  name: "registry_keys",
  prefix: "rgk",
  schema: RegistryKey,
  resource: { type: "registry_key", event: "registry_key", path: "/api/v1/ai/registry-keys" },
  machines: { status: registryKeyStatus },
  fields: { status: { type: "text" } },
  indexes: [{ where: ["status"] }],
  filters: { status: { values: statesOf(registryKeyStatus) } },
});

const RegistryKeyHash = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  keyId: z.string(),
  /** When one that was replaced stops. */
  expiresAt: Time.nullable(),
});
export type RegistryKeyHash = z.output<typeof RegistryKeyHash>;

/** The record that a keyed hash of a key belongs to. Looked up without a tenant, because it tells the tenant. */
export const registryKeyHashes = defineCollection<RegistryKeyHash>({
  name: "registry_key_hashes",
  prefix: null,
  scope: "platform",
  schema: RegistryKeyHash,
  fields: { keyId: { type: "text", compare: "exact" }, expiresAt: { type: "time" } },
  indexes: [{ where: ["keyId"] }, { where: [], by: "expiresAt", partial: true }],
});
