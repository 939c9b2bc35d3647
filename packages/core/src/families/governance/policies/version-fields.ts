import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Policy } from "./schema.js";

/** What a version shows. Who reads it may compare it with another. */
export const SHOWN = [
  "name",
  "description",
  "category",
  "severity",
  "gate",
  "selector",
  "rules",
  "params",
  "paramSchemas",
  "tests",
] as const;

/** A version as lists name it. */
export const Version = z
  .object({
    id: z.string().meta({ description: "Id of the event that made it." }),
    at: Time.meta({ description: "When it was made." }),
    by: z.string().meta({ description: "Id of who made it." }),
    revision: Policy.shape.revision,
    status: Policy.shape.status.meta({ description: "Its status then." }),
    changed: z.array(z.string()).nullable().meta({
      description: "Fields that differ from the version before; `null` of the first version of all.",
    }),
  })
  .meta({ id: "PolicyVersion" });
export type Version = z.output<typeof Version>;

/** A version with what the policy said in it. */
export const VersionContent = Version.extend(
  Policy.pick(Object.fromEntries(SHOWN.map((field) => [field, true])) as Record<(typeof SHOWN)[number], true>).shape,
).meta({ id: "PolicyVersionContent" });
