import { z } from "zod";

/** Who a finding is given to: a user of the tenant, or a team by whatever name it has. */
export const Party = z.object({
  type: z.enum(["user", "team"]).default("user"),
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200).optional(),
});
