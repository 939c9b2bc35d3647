import { z } from "zod";
import { defineCollection } from "../../../kernel/collection.js";
import { statesOf } from "../../../kernel/machine.js";
import { recordShape } from "../../../kernel/record.js";
import { tenantStatus } from "./machine.js";

export const Tenant = z
  .object({
    ...recordShape(z.enum(statesOf(tenantStatus))),
    subdomain: z.string().meta({ description: "DNS label, unique.", example: "acme" }),
  })
  .meta({ id: "Tenant" });
export type Tenant = z.output<typeof Tenant>;

/** Tenants; the row of a tenant belongs to that tenant. */
export const tenants = defineCollection<Tenant>({
  name: "tenants",
  prefix: "tnt",
  watched: true,
  scope: "platform",
  schema: Tenant,
  resource: { type: "tenant", event: "tenant", path: "/api/v1/support/tenants" },
  machines: { status: tenantStatus },
  fields: { subdomain: { type: "text" }, status: { type: "text" } },
  unique: { subdomain: ["subdomain"] },
});
