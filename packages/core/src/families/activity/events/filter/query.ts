import { z } from "zod";
import { pageQuery } from "../../../../kernel/operation/page.js";

const Moment = z.iso.datetime({ offset: true });

/** The filters of lists of events; all that are given hold together. */
const filters = {
  type: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "Type of event, with or without prefix and version.", example: "asset.created" }),
  severity: z.enum(["INFO", "WARN", "ERROR"]).optional(),
  actor: z.string().min(1).max(255).optional().meta({ description: "Id of who did it (`authid`)." }),
  outcome: z.enum(["success", "denied", "failure"]).optional(),
  from: Moment.optional().meta({ description: "Not before this moment.", example: "2026-11-21T00:00:00Z" }),
  to: Moment.optional().meta({ description: "Before this moment.", example: "2026-11-22T00:00:00Z" }),
};

export const ActivityQuery = z.strictObject({ ...pageQuery, ...filters });
export type ActivityQuery = z.output<typeof ActivityQuery>;
