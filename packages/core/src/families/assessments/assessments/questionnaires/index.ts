import { IMPACT } from "./impact.js";
import type { Questionnaire, QuestionnaireKey } from "./questionnaire.js";
import { RISK } from "./risk.js";

/** Every questionnaire, by its key. */
export const QUESTIONNAIRE_TABLE: Readonly<Record<QuestionnaireKey, Questionnaire>> = { impact: IMPACT, risk: RISK };
