import { open, type Questionnaire, rated } from "./questionnaire.js";

const ACT = "eu-ai-act-2024-1689";
const ISO = "iso-42001-2023";
const NIST = "nist-ai-rmf-1.0";

/** What may go wrong with an AI system, and what is done about it. It follows Article 9 of the AI Act. */
export const RISK: Questionnaire = {
  key: "risk",
  version: 1,
  name: "Risk assessment",
  questions: [
    open("context", "What is it meant to do, for whom, and what is taken for granted?", `${NIST}:MAP 1.1`),
    rated("intended_use", "What may go wrong when it is used as intended?", `${ACT}:9(2)`, `${ISO}:6.1.2`),
    rated("misuse", "What may go wrong when it is used in ways that can be foreseen?", `${ACT}:9(2)`),
    rated("data", "What may be wrong with its data, and what must not get out of it?", `${ISO}:6.1.2`),
    rated("security", "Who might attack it, and what would they gain?", `${ISO}:6.1.2`),
    rated("effects", "What can it change through its tools, and what can not be undone?", `${ISO}:6.1.2`),
    open("treatment", "What is done about each risk, and by whom?", `${ACT}:9(5)`, `${ISO}:6.1.3`),
    open("testing", "How was it tested, against which thresholds, and with what result?", `${ACT}:9(6)`),
    open("monitoring", "What is watched in use, and what would bring this assessment back?", `${ACT}:9(2)`),
  ],
};
