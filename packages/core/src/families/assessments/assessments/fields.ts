import { AssetFields } from "#families/estate/index.js";
import { EndTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { QUESTIONNAIRES, RATINGS } from "./questionnaires/questionnaire.js";

const Answer = z
  .object({
    text: z.string().trim().min(1).max(4_000).meta({ description: "The text of the answer." }),
    rating: z.enum(RATINGS).optional().meta({ description: "How grave it is, of questions that are rated." }),
  })
  .meta({ id: "AssessmentAnswer" });

/** What a caller may set. */
export const AssessmentFields = z.object({
  assetId: z.string().meta({ description: "The asset that is assessed." }),
  questionnaire: z.enum(QUESTIONNAIRES).meta({ description: "What is asked." }),
  answers: z.record(z.string().max(100), Answer).meta({ description: "The answers, by the keys of the questions." }),
  conclusion: z.string().max(4_000).meta({ description: "What follows from the answers." }),
  residualRisk: z.enum(RATINGS).nullable().meta({ description: "How grave the risk is that remains." }),
  validUntil: EndTime.nullable().meta({
    description: "From then on it reads `expired`; a year after its approval if `null`.",
  }),
});
export type AssessmentFields = z.output<typeof AssessmentFields>;

/** The fields of an asset whose change makes an assessment outdated. */
export const AssessedFields = AssetFields.pick({
  assetType: true,
  environment: true,
  riskTier: true,
  dataClassification: true,
  autonomy: true,
  purpose: true,
});
export type AssessedFields = z.output<typeof AssessedFields>;
export const ASSESSED_FIELDS = Object.keys(AssessedFields.shape) as (keyof AssessedFields)[];
