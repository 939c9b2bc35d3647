import { CONTROL_KINDS, EVIDENCE_TYPES, Roles } from "#frameworks/index.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { CONTROL_STATES, REASONS, type Reason } from "../posture/compute/control.js";
import { RULE_SEVERITIES } from "../posture/compute/inputs.js";
import { DISCLAIMER, FrameworkPosture, Gap, Overall } from "../posture/schema.js";
import { registers } from "./registers/schema.js";

const count = z.int().min(0);
const texts = z.array(z.string());

const ReportControl = z
  .object({
    controlId: z.string().meta({ description: "Id of the control in its framework." }),
    parent: z.string().nullable().meta({ description: "The control it is part of." }),
    title: z.string().meta({ description: "Title of the control." }),
    kind: z.enum(CONTROL_KINDS).meta({ description: "Judged by rules, by people or by both." }),
    weight: z.int().meta({ description: "Its share in scores." }),
    appliesFrom: z.string().nullable().meta({ description: "The day from which it binds; `null`: already." }),
    roles: Roles.meta({ description: "Whom it binds; empty: everybody." }),
    sourceRef: z.string().meta({ description: "Where the source says so." }),
    automation: z
      .string()
      .meta({ description: "Why passes of its rules are evidence for it, and what they leave open." }),
    state: z.enum(CONTROL_STATES).meta({ description: "How well it is met." }),
    worth: z.int().min(0).max(2).nullable().meta({
      description: "Halves of the weight that count as met; `null` where nothing was assessed.",
    }),
    reasons: z.array(z.enum(Object.keys(REASONS) as [Reason, ...Reason[]])).meta({ description: "Why it is not met." }),
    rules: z
      .object({
        mapped: count.meta({ description: "Rules that are mapped to it." }),
        evaluated: count.meta({ description: "Rules that have run." }),
        pass: count.meta({ description: "Results that passed." }),
        fail: count.meta({ description: "Results that failed." }),
        error: count.meta({ description: "Results that could not be computed." }),
        open: count.meta({ description: "Findings that are open." }),
        exempted: count.meta({ description: "Findings that are exempted." }),
        dismissed: count.meta({ description: "Findings that were dismissed." }),
        worst: z.enum(RULE_SEVERITIES).nullable().meta({ description: "The gravest that fails." }),
        missing: texts.meta({ description: "Rules that are in no active policy." }),
        idle: texts.meta({ description: "Rules that have had nothing to look at." }),
        stale: texts.meta({ description: "Rules that no run has asked of all assets lately." }),
        unevaluated: count.meta({ description: "Assets that no run has looked at." }),
        oldestEvaluation: Time.nullable().meta({ description: "When the oldest result was computed." }),
      })
      .meta({ description: "Rules that are evidence for it." }),
    requirements: z
      .array(
        z.object({
          type: z.enum(EVIDENCE_TYPES).meta({ description: "What kind of evidence." }),
          wanted: count.meta({ description: "How many are needed." }),
          fresh: count.meta({ description: "How many are there and new enough." }),
          stale: count.meta({ description: "How many are too old." }),
        }),
      )
      .meta({ description: "Evidence that people need." }),
    recordId: z.string().nullable().meta({ description: "Id of its assessment." }),
    reviewOverdue: z.boolean().meta({ description: "Its assessment should have been looked at again." }),
  })
  .meta({ id: "ComplianceReportControl" });

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
    controls: z.array(ReportControl).meta({ description: "All its controls." }),
  })
  .meta({ id: "ComplianceReportFramework" });

/** Name and version of the form of a report. */
export const REPORT_FORMAT = "reeve-compliance-report/2";

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
