import { defineCollection } from "#kernel/records/collection.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { CAPABILITIES, LIMITS } from "../capabilities/fields.js";

const KINDS = ["capability", "limit", "feature"] as const;
export type EntitlementKind = (typeof KINDS)[number];

export const Entitlement = z
  .object({
    id: z.string().meta({ description: "The id, written `<kind>:<key>`." }),
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    kind: z.enum(KINDS).meta({ description: "What it grants." }),
    key: z.string().meta({ description: "Key of the capability, limit or feature." }),
    status: z.enum(["licensed", "revoked"]).meta({ description: "Whether the tenant has it." }),
    value: z
      .union([z.int().min(0), z.string(), z.null()])
      .meta({ description: "How many, for a limit; the text of a feature; `null` for a capability." }),
    expiresAt: Time.nullable().meta({ description: "When it ends; `null`: never." }),
  })
  .meta({ id: "Entitlement" });
export type Entitlement = z.output<typeof Entitlement>;

/** The entitlements of a tenant, one row per kind and key. The id is `<kind>:<key>`. */
export const entitlements = defineCollection<Entitlement>({
  name: "entitlements",
  prefix: null,
  broadcast: true,
  schema: Entitlement,
  secrets: [],
});

/** What can be granted besides capabilities and limits. */
const FEATURES = { plan: "Name of the plan the tenant is on, as the provider shows it" } as const;

const Name = z.string().trim().min(1).max(200);

/** The keys of each kind with their meaning, and the schema of their values. */
export const ENTITLEMENTS = {
  capability: { keys: CAPABILITIES as Readonly<Record<string, string>>, value: z.null() },
  limit: {
    keys: Object.fromEntries(Object.entries(LIMITS).map(([key, { description }]) => [key, description])),
    value: z.int().min(0).max(1_000_000_000),
  },
  feature: { keys: FEATURES as Readonly<Record<string, string>>, value: Name },
} as const satisfies Record<EntitlementKind, { keys: Readonly<Record<string, string>>; value: z.ZodType }>;

/** An entitlement to one capability without an end. */
export function capabilityEntitlement(key: string, createdAt: string): Entitlement {
  return {
    id: `capability:${key}`,
    version: 1,
    createdAt,
    kind: "capability",
    key,
    status: "licensed",
    value: null,
    expiresAt: null,
  };
}

/** Whether the entitlement is in force at this moment. */
export function isInForce({ status, expiresAt }: Pick<Entitlement, "status" | "expiresAt">, nowMs: number): boolean {
  return status === "licensed" && (expiresAt === null || nowMs < Date.parse(expiresAt));
}
