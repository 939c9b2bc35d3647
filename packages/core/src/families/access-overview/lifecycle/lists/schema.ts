import { UNKNOWN_REASONS, UsageCoverage } from "#families/access-drift/index.js";
import { ShownAssignment } from "#families/access-grants/index.js";
import { pageQuery } from "#kernel/operation/page.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Names } from "../name-assignments.js";

const { size, cursor } = pageQuery;

/** What lists by time take beside their days. */
export const listing = {
  size,
  cursor: cursor.unwrap().optional().meta({ description: "`nextCursor` of the page before." }),
};

const page = {
  size: z.int().meta({ description: "Assignments that a page looks at." }),
  nextCursor: z.string().nullable().meta({ description: "Where it goes on; `null` at the end." }),
};

export const ExpiringAccess = z
  .object({
    days: z.int().meta({ description: "How many days ahead." }),
    until: Time.meta({ description: "The end of these days." }),
    items: z.array(ShownAssignment).meta({ description: "Access in force that ends by then, the next first." }),
    ...page,
  })
  .meta({ id: "ExpiringAccess" });

const IdleAccess = ShownAssignment.extend(Names).meta({ id: "IdleAccess" });

const UnjudgedAccess = ShownAssignment.extend({
  ...Names,
  unknownBecause: z.array(z.enum(UNKNOWN_REASONS)).meta({ description: "Why nobody can tell whether it is used." }),
}).meta({ id: "UnjudgedAccess" });

export const UnusedAccess = z
  .object({
    days: z.int().meta({ description: "How many days back." }),
    since: Time.meta({ description: "The beginning of these days." }),
    items: z.array(IdleAccess).meta({ description: "Access that was not used since then, the longest first." }),
    unknown: z
      .array(UnjudgedAccess)
      .meta({ description: "Access that was not seen in use where use is not seen. It is not unused." }),
    coverage: z.array(UsageCoverage).meta({ description: "What is known of use in the targets of this page." }),
    ...page,
  })
  .meta({ id: "UnusedAccess" });
