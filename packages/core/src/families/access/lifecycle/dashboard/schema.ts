import { z } from "zod";
import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";

export const Figure = z.object({
  value: z.int().min(0).meta({ description: "The number." }),
  relation: z.enum(["exact", "atLeast"]).meta({ description: "`atLeast`: counting stopped at its bound." }),
  url: z.string().meta({ description: "The list that it counts." }),
});
export type Figure = z.output<typeof Figure>;

export const NamedFigure = Figure.extend({ key: z.string().meta({ description: "What is counted." }) });
export type NamedFigure = z.output<typeof NamedFigure>;

const DaysFigure = Figure.extend({ days: z.int().meta({ description: "Within how many days." }) });

const Section = z.array(NamedFigure);

export const AccessDashboard = z
  .object({
    asOf: Time.meta({ description: "The moment it is about." }),
    assignments: z
      .object({
        byStatus: Section.meta({ description: "All assignments by their status." }),
        byTarget: Section.meta({ description: "Assignments that are not over, by target: the 100 with the most." }),
      })
      .meta({ description: "Access, past and present." }),
    revokeFailed: Figure.meta({ description: "Access that is out of force and that targets still have." }),
    unknown: Figure.extend({
      notShown: z
        .object({
          value: z.int().min(0).meta({ description: "How many, up to 1,000." }),
          since: Time.meta({ description: "Since when the first of them." }),
          settledBy: z.string().meta({ description: "What would tell, in words." }),
        })
        .nullable()
        .meta({ description: "Those whose targets took the grant or its removal and do not show it." }),
    }).meta({ description: "Access of which it is not known whether the target has it." }),
    expiring: z.array(DaysFigure).meta({ description: "Access that ends soon." }),
    unused: z
      .array(DaysFigure.extend({ unknown: Figure.meta({ description: "Access whose use nobody sees." }) }))
      .meta({ description: "Access that is not used." }),
    certifications: Section.meta({ description: "Certifications by their status." }),
    drift: Section.nullable().meta({ description: "Differences between targets and records; `null` is not known." }),
    requests: Section.nullable().meta({ description: "Requests for access; `null` is not known." }),
  })
  .meta({ id: "AccessLifecycleDashboard" });

/** Extension point: numbers of other resources for the dashboard, each with the list that it counts. */
export const accessFigures = defineExtensionPoint<{
  readonly section: "drift" | "requests";
  /** `null`: nobody knows. */
  readonly read: (ctx: ReadContext) => Promise<readonly NamedFigure[] | null>;
}>("access.figures");
