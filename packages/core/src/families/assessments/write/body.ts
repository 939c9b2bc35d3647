import { invalidProperty, ReeveError } from "../../../kernel/http/errors.js";
import { type GenericBody, located } from "../../../kernel/records/generic-body.js";
import { openBody } from "../../../kernel/records/open-body.js";
import { readEstateBody, refuseUnknown } from "../../estate/index.js";
import { AssessmentFields } from "../fields.js";
import { unknownAnswers } from "../rules/answers.js";
import { ASSESSMENT_READ_ONLY, type Assessment } from "../schema.js";

const GivenFields = AssessmentFields.partial();

export const AssessmentRequest = openBody({
  id: "AssessmentRequest",
  fields: AssessmentFields,
  states: ["draft"],
  closed: true,
  example: {
    assetId: "ast_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
    questionnaire: "impact",
    answers: { people: { text: "Applicants for jobs, who are told of it." } },
  },
});

export const AssessmentChange = openBody({
  id: "AssessmentChange",
  fields: AssessmentFields.omit({ assetId: true, questionnaire: true }),
  states: ["draft"],
  closed: true,
  example: { conclusion: "It may be used as long as people decide.", residualRisk: "medium" },
});

export type AssessmentBody = ReturnType<typeof readAssessmentBody>;

/** Reads a generic body as an assessment. `current` is the stored one, whose read-only values a body may repeat. */
export function readAssessmentBody(body: GenericBody, current: object = {}) {
  try {
    const { fields, free } = readEstateBody(body, GivenFields, ASSESSMENT_READ_ONLY, current);
    refuseUnknown(free.configuration, "Assessments", Object.keys(GivenFields.shape));
    const { configuration: _, ...kept } = free;
    return { fields, free: kept };
  } catch (thrown) {
    throw located(thrown, body);
  }
}

/** 400 for answers to questions that the questionnaire does not ask. */
export function checkAnswers(assessment: Pick<Assessment, "questionnaire" | "answers">): void {
  const [unknown] = unknownAnswers(assessment);
  if (unknown !== undefined)
    throw invalidProperty(
      `/answers/${unknown}`,
      `The questionnaire "${assessment.questionnaire}" has no such question.`,
    );
}

/** 400 when a body would change what an assessment is about. */
export function checkSubject(before: Assessment, { fields }: AssessmentBody): void {
  for (const name of ["assetId", "questionnaire"] as const) {
    if (fields[name] !== undefined && fields[name] !== before[name])
      throw new ReeveError("read_only_property", undefined, {
        errors: [{ pointer: `/${name}`, code: "read_only_property", message: "It is settled when a record is made." }],
      });
  }
}
