import { severalOf } from "#kernel/operation/list-query.js";
import { pageQuery } from "#kernel/operation/page.js";
import { StartTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** The filters of event lists. An event must match all of them. */
const filters = {
  search: z.string().min(1).max(200).optional().meta({
    description: "Words that must all be in the event; case is ignored.",
  }),
  type: severalOf(z.string().min(1).max(200)).meta({
    description: "Types of event, parted by commas, with or without prefix and version.",
    example: ["asset.created"],
  }),
  severity: severalOf(z.enum(["INFO", "WARN", "ERROR"])).meta({ description: "How grave the event is." }),
  actor: severalOf(z.string().min(1).max(255)).meta({ description: "Ids of who did it (`authid`)." }),
  outcome: severalOf(z.enum(["success", "denied", "failure"])),
  from: StartTime.optional().meta({ description: "Not before this moment.", example: "2026-11-21T00:00:00Z" }),
  to: StartTime.optional().meta({ description: "Before this moment.", example: "2026-11-22T00:00:00Z" }),
};

export const ActivityQuery = z.strictObject({ ...pageQuery, ...filters });
export type ActivityQuery = z.output<typeof ActivityQuery>;
