import type { z } from "zod";
import { readEstateBody, refuseUnknown } from "#families/estate/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import { type GenericBody, located } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { AssessmentFields } from "./fields.js";
import { ASSESSMENT_READ_ONLY, type Assessment } from "./schema.js";
import { unknownAnswers } from "./standing-answers.js";

const GivenFields = AssessmentFields.partial();
/** What an assessment is about, which is settled when it begins. */
const SUBJECT = { assetId: true, questionnaire: true } as const;

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
  fields: AssessmentFields.omit(SUBJECT),
  states: ["draft"],
  closed: true,
  example: { conclusion: "It may be used as long as people decide.", residualRisk: "medium" },
});

const ChangeFields = GivenFields.omit(SUBJECT);

export type AssessmentBody = ReturnType<typeof readAssessmentBody>;
export type AssessmentChangeBody = ReturnType<typeof readChangeBody>;

/** Reads a generic body as a new assessment. */
export const readAssessmentBody = (body: GenericBody) => readBody(body, GivenFields, ASSESSMENT_READ_ONLY);

/** Reads a generic body as a change of an assessment, whose read-only values and subject a body may repeat. */
export const readChangeBody = (body: GenericBody, before: Assessment) =>
  readBody(body, ChangeFields, [...ASSESSMENT_READ_ONLY, ...Object.keys(SUBJECT)], before);

function readBody<S extends z.ZodObject>(body: GenericBody, schema: S, readOnly: readonly string[], current = {}) {
  try {
    const { fields, free } = readEstateBody(body, schema, readOnly, current);
    refuseUnknown(free.configuration, "Assessments", Object.keys(schema.shape));
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
