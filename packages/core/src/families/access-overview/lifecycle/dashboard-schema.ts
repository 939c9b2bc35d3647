import { Figure, NamedFigure } from "#families/access/index.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

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
