import { Label } from "#families/estate/index.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** What an installation says that it has in force. */
export const InForce = z.object({
  at: Time.meta({ description: "When it last reported." }),
  digest: z.string().meta({ description: "Digest of the files as they were found on its disk." }),
  files: z.int().min(0).meta({ description: "How many files that were." }),
  number: z.int().nullable().meta({ description: "Number of the publication with that digest; `null`: of none." }),
  since: Time.meta({ description: "When it first reported that digest, without another between." }),
  fetchedAt: Time.nullable().meta({ description: "When it last had a publication from here; `null`: it did not say." }),
  servers: z.int().min(0).nullable().meta({ description: "How many MCP servers it named; `null`: it did not say." }),
});
export type InForce = z.output<typeof InForce>;

/** A server that a machine has and nobody published. Arguments and addresses beside the host are not kept. */
export const UnpublishedServer = z.object({
  name: Label.meta({ description: "Its name in the client." }),
  kind: z.enum(["url", "command"]).meta({ description: "Whether the client calls it or starts it." }),
  shown: Label.meta({ description: "The host of its address, or the name of its program." }),
  identity: z.string().meta({ description: "SHA-256 of its address, or of its program and arguments." }),
  firstSeenAt: Time.meta({ description: "When it was first reported." }),
});
export type UnpublishedServer = z.output<typeof UnpublishedServer>;

/** What is in force on a machine, against what was published. */
export const EFFECTS = ["in_force", "older", "other", "silent", "unknown"] as const;

export const Effect = z.object({
  effect: z.enum(EFFECTS).meta({
    description:
      "`in_force`: the newest publication; `older`: an earlier one; `other`: something else; `silent`: no report within an hour; `unknown`: no report ever.",
  }),
  effectSince: Time.meta({ description: "Since when that is so, as far as it is known." }),
});
export type Effect = z.output<typeof Effect>;
