import { z } from "zod";

/** The assignee of a finding: a user of the tenant, or a team by name. */
export const Party = z.object({
  type: z.enum(["user", "team"]).default("user"),
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200).optional(),
});
