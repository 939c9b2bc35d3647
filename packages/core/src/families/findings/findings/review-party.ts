import { z } from "#schema/z.js";

/** The assignee of a finding: a user of the tenant, or a team by name. */
export const Party = z.object({
  type: z.enum(["user", "team"]).default("user").meta({ description: "Person or team." }),
  id: z.string().min(1).max(200).meta({ description: "Id of the party, in your terms." }),
  name: z.string().min(1).max(200).optional().meta({ description: "Name of the party." }),
});
