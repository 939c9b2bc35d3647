import { controlsOf } from "./control.js";
import { NIST_DOCUMENT } from "./nist-govern.js";

/** The function that assesses, analyses and tracks risks. */
export const MEASURE = controlsOf(`${NIST_DOCUMENT}, `, [
  { id: "MEASURE 1.1", title: "Measures for the gravest mapped risks are chosen; what is not measured is stated" },
  { id: "MEASURE 1.2", title: "Whether measures and controls still fit is assessed regularly" },
  { id: "MEASURE 1.3", title: "People who did not build the system take part in assessing it" },
  {
    id: "MEASURE 2.1",
    title: "Test sets, metrics and tools of evaluation are written down",
    weight: 2,
    policyRules: ["model-card-and-eval"],
    remediation: "Give every model a card and the results of at least one evaluation.",
  },
  { id: "MEASURE 2.2", title: "Evaluations with people meet the rules for their protection and fit the population" },
  { id: "MEASURE 2.3", title: "Performance is shown under conditions like those of deployment" },
  { id: "MEASURE 2.4", title: "Function and behaviour of the system are monitored in production", weight: 2 },
  { id: "MEASURE 2.5", title: "The system is shown to be valid and reliable, and where it no longer is, is stated" },
  { id: "MEASURE 2.6", title: "Safety is evaluated regularly, failing safely among it", weight: 2 },
  { id: "MEASURE 2.7", title: "Security and resilience are evaluated and written down", weight: 2 },
  { id: "MEASURE 2.8", title: "Risks to transparency and accountability are examined" },
  { id: "MEASURE 2.9", title: "The model is explained and validated, its output interpreted in its context" },
  { id: "MEASURE 2.10", title: "Risks to privacy are examined and written down" },
  { id: "MEASURE 2.11", title: "Fairness and bias are evaluated and results written down", weight: 2 },
  { id: "MEASURE 2.12", title: "The impact of training and use on the environment is assessed" },
  { id: "MEASURE 2.13", title: "Whether the evaluation itself works is evaluated" },
  { id: "MEASURE 3.1", title: "Risks that exist, emerge or were not foreseen are identified and tracked" },
  { id: "MEASURE 3.2", title: "Risks that are hard to measure are tracked by other means" },
  { id: "MEASURE 3.3", title: "Users and others can report problems and appeal against outcomes" },
  { id: "MEASURE 4.1", title: "How risk is measured fits where the system is used and those who know that setting" },
  { id: "MEASURE 4.2", title: "Results about trustworthiness are confirmed by experts and those concerned" },
  { id: "MEASURE 4.3", title: "Measured improvement or decline is identified and written down" },
]);
