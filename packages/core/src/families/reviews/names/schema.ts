import { z } from "#schema/z.js";

/** What an id stands for, by name. */
export const Named = z
  .object({
    id: z.string().meta({ description: "The id that was asked about." }),
    type: z.string().nullable().meta({
      description: "Kind of the record, `system` for Reeve itself; `null` where ids of this kind have no name here.",
    }),
    name: z.string().nullable().meta({
      description: "Its name now; `null` where it is `hidden`, was removed, or never was in this tenant.",
    }),
    hidden: z.boolean().meta({ description: "Whether the caller may not see names of this kind." }),
  })
  .meta({ id: "Named" });
export type Named = z.output<typeof Named>;
