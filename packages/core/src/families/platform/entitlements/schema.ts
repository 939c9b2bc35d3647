import { z } from "zod";
import { defineCollection } from "../../../kernel/collection.js";
import { Time } from "../../../kernel/record.js";

export const Entitlement = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  kind: z.enum(["capability", "limit", "feature"]),
  key: z.string(),
  status: z.enum(["licensed", "revoked"]),
  expiresAt: Time.nullable(),
});
export type Entitlement = z.output<typeof Entitlement>;

/** What a tenant is licensed for, one row per kind and key; the id is `<kind>:<key>`. */
export const entitlements = defineCollection<Entitlement>({
  name: "entitlements",
  prefix: null,
  schema: Entitlement,
  secrets: [],
});

/** A licence without an end for one capability. */
export function capabilityEntitlement(key: string, createdAt: string): Entitlement {
  return {
    id: `capability:${key}`,
    version: 1,
    createdAt,
    kind: "capability",
    key,
    status: "licensed",
    expiresAt: null,
  };
}
