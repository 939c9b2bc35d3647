import { open, type Questionnaire, rated } from "./questionnaire.js";

const ACT = "eu-ai-act-2024-1689";
const ISO = "iso-42001-2023";

/** What an AI system does to people and society. It follows Article 27 of the AI Act and ISO/IEC 42001, A.5. */
export const IMPACT: Questionnaire = {
  key: "impact",
  version: 1,
  name: "Impact assessment",
  questions: [
    open("process", "In which process is it used, and for what?", `${ACT}:27(1)`, `${ISO}:A.5.2`),
    open("use", "How long and how often will it be used?", `${ACT}:27(1)`),
    open("alternatives", "What does it improve, and what would be done without it?", `${ISO}:A.5.2`),
    open("people", "Which people and groups does it affect, with and without their knowledge?", `${ACT}:27(1)`),
    rated("harm", "What harm may come to each of them, how likely and how grave?", `${ACT}:27(1)`, `${ISO}:A.5.4`),
    rated("rights", "Which fundamental rights does it touch, and whom may it treat unfairly?", `${ACT}:27(1)`),
    rated("society", "What may it change for society and the environment?", `${ISO}:A.5.5`),
    open("oversight", "Who watches over it, and what can they do to stop or correct it?", `${ACT}:27(1)`),
    open("remedy", "What happens when it goes wrong, and where do those affected complain?", `${ACT}:27(1)`),
  ],
};
