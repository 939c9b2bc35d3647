import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { ControlPosture, DISCLAIMER, FrameworkPosture, Gap, Overall } from "../posture/schema.js";
import { registers } from "./registers/schema.js";

const ReportFramework = z
  .object({
    ...FrameworkPosture.shape,
    publisher: z.string().meta({ description: "Who publishes the source." }),
    source: z.string().meta({ description: "What the data rests on." }),
    sourceUrl: z.string().nullable().meta({ description: "Where the source is published." }),
    checkedOn: z.string().nullable().meta({ description: "When the data was last held against the source." }),
    terms: z.string().meta({ description: "On what terms the source may be used." }),
    adoption: z
      .object({
        scope: z.string().meta({ description: "What it covers." }),
        updatedAt: recordFields.updatedAt,
        updatedBy: recordFields.updatedBy,
      })
      .nullable()
      .meta({ description: "What it covers, and who has adopted it as when; `null`: it is not adopted." }),
    gaps: z.array(Gap).meta({ description: "Controls that are not met." }),
    controls: z.array(ControlPosture).meta({ description: "All its controls." }),
  })
  .meta({ id: "ComplianceReportFramework" });

/** Name and version of the form of a report. */
export const REPORT_FORMAT = "reeve-compliance-report/3";

/** All data of a report, with the inputs of its numbers. */
export const Report = z
  .object({
    format: z.literal(REPORT_FORMAT).meta({ description: "Name and version of this form." }),
    organization: z.string().meta({ description: "The name of the tenant that this is about." }),
    asOf: Time.meta({ description: "The moment it is about." }),
    inputsDigest: z.string().meta({ description: "SHA-256 of `inputs`." }),
    disclaimer: z.literal(DISCLAIMER).meta({ description: "What this is not." }),
    overall: Overall,
    frameworks: z.array(ReportFramework).meta({ description: "One entry for each framework." }),
    ...registers,
    inputs: z
      .record(z.string(), z.unknown())
      .meta({ description: "What the numbers were computed from: frameworks, rules, standings, findings, records." }),
    reportId: z.string().nullable().meta({ description: "Names it in the activity; `null`: nobody has filed it." }),
    preparedBy: z.string().meta({ description: "Id of whose request made it." }),
    digest: z.string().meta({ description: "SHA-256 of all the rest in canonical form (RFC 8785)." }),
  })
  .meta({ id: "ComplianceReport" });
export type Report = z.output<typeof Report>;
export type ReportFramework = Report["frameworks"][number];
export type ReportControl = ReportFramework["controls"][number];
