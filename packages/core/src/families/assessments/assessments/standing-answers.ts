import type { AssessmentFields } from "./fields.js";
import { QUESTIONNAIRE_TABLE } from "./questionnaires/index.js";

/** What an assessment lacks before it can be submitted, in words. */
export function missingAnswers({
  questionnaire,
  answers,
  conclusion,
  residualRisk,
}: Pick<AssessmentFields, "questionnaire" | "answers" | "conclusion" | "residualRisk">): string[] {
  const open = QUESTIONNAIRE_TABLE[questionnaire].questions.flatMap(({ key, rated }) => {
    const answer = answers[key];
    if (!answer) return [`an answer to "${key}"`];
    return rated && answer.rating === undefined ? [`a rating of "${key}"`] : [];
  });
  return [
    ...open,
    ...(conclusion.trim() === "" ? ["a conclusion"] : []),
    ...(residualRisk === null ? ["the remaining risk"] : []),
  ];
}

/** The keys among the answers that are no questions. */
export function unknownAnswers({ questionnaire, answers }: Pick<AssessmentFields, "questionnaire" | "answers">) {
  const known = new Set(QUESTIONNAIRE_TABLE[questionnaire].questions.map(({ key }) => key));
  return Object.keys(answers).filter((key) => !known.has(key));
}
