import { controlsOf } from "../control.js";
import { NIST_DOCUMENT } from "./govern.js";

/** The function that assesses, analyses and tracks risks. */
export const MEASURE = controlsOf(`${NIST_DOCUMENT}, `, [
  {
    id: "MEASURE 1.1",
    title: "Measures for the gravest mapped risks are chosen; what is not measured is stated",
    guidance: "Choose metrics for the gravest risks and state what cannot be measured. Attach the list with reasons.",
  },
  {
    id: "MEASURE 1.2",
    title: "Whether measures and controls still fit is assessed regularly",
    guidance:
      "Ask each year whether metrics and controls still catch errors and harm. Attach the review and the metrics it replaced.",
  },
  {
    id: "MEASURE 1.3",
    title: "People who did not build the system take part in assessing it",
    guidance: "Have somebody test who did not build the system. Attach the report with names and independence.",
  },
  {
    id: "MEASURE 2.1",
    title: "Test sets, metrics and tools of evaluation are written down",
    guidance:
      "Give every model a card and the results of at least one evaluation, which the rule checks. Attach test sets and tools by version.",
    weight: 2,
    policyRules: ["model-card-and-eval"],
    automation:
      "A card and an evaluation on record are where test sets and metrics are written down, and passes show that each model has both. They do not show what these say.",
  },
  {
    id: "MEASURE 2.2",
    title: "Evaluations with people meet the rules for their protection and fit the population",
    guidance:
      "Have studies with people cleared by ethics review and match the population. Attach the clearance and the sample's make-up.",
  },
  {
    id: "MEASURE 2.3",
    title: "Performance is shown under conditions like those of deployment",
    guidance:
      "Measure performance on inputs from the place of use. Attach the results and how near the setting was to reality.",
  },
  {
    id: "MEASURE 2.4",
    title: "Function and behaviour of the system are monitored in production",
    guidance:
      "Watch function and behaviour of live systems by sessions, decisions and findings. Attach the dashboard's thresholds and one alarm.",
    weight: 2,
  },
  {
    id: "MEASURE 2.5",
    title: "The system is shown to be valid and reliable, and where it no longer is, is stated",
    guidance: "Show validity and reliability and where they end. Attach the validation report with its limits of use.",
  },
  {
    id: "MEASURE 2.6",
    title: "Safety is evaluated regularly, failing safely among it",
    guidance:
      "Test that the system fails safely and stops when told to. Attach the safety tests with the remaining risk.",
    weight: 2,
  },
  {
    id: "MEASURE 2.7",
    title: "Security and resilience are evaluated and written down",
    guidance:
      "Test security of model, prompts, tools and supply chain. Attach the report and the state of what it found.",
    weight: 2,
  },
  {
    id: "MEASURE 2.8",
    title: "Risks to transparency and accountability are examined",
    guidance: "Examine what stays hidden from users and who would answer. Attach the examination with its mitigations.",
  },
  {
    id: "MEASURE 2.9",
    title: "The model is explained and validated, its output interpreted in its context",
    guidance:
      "Explain the model to those who use its output and check that they understand. Attach explanation and check.",
  },
  {
    id: "MEASURE 2.10",
    title: "Risks to privacy are examined and written down",
    guidance:
      "Examine privacy of training data, prompts and output. Attach the assessment, with leaks that were tested for.",
  },
  {
    id: "MEASURE 2.11",
    title: "Fairness and bias are evaluated and results written down",
    guidance:
      "Measure error rates by group and act on differences. Attach the results by group and the decision on them.",
    weight: 2,
  },
  {
    id: "MEASURE 2.12",
    title: "The impact of training and use on the environment is assessed",
    guidance: "Estimate energy, water and carbon of training and use. Attach the figures and how they were obtained.",
  },
  {
    id: "MEASURE 2.13",
    title: "Whether the evaluation itself works is evaluated",
    guidance:
      "Check the metrics against outcomes that were seen later. Attach where a metric misled and what replaced it.",
  },
  {
    id: "MEASURE 3.1",
    title: "Risks that exist, emerge or were not foreseen are identified and tracked",
    guidance:
      "Let findings and feedback lead to new risks in the register. Attach the risks added this year and their origin.",
  },
  {
    id: "MEASURE 3.2",
    title: "Risks that are hard to measure are tracked by other means",
    guidance:
      "Track risks without a metric by interviews, cases or experts. Attach the method and the last observation.",
  },
  {
    id: "MEASURE 3.3",
    title: "Users and others can report problems and appeal against outcomes",
    guidance: "Give users a way to report problems and to appeal. Attach the form, the figures and two outcomes.",
  },
  {
    id: "MEASURE 4.1",
    title: "How risk is measured fits where the system is used and those who know that setting",
    guidance: "Ask people who know the setting which measures matter. Attach their answers and the measures chosen.",
  },
  {
    id: "MEASURE 4.2",
    title: "Results about trustworthiness are confirmed by experts and those concerned",
    guidance:
      "Let domain experts and affected people confirm results. Attach what they confirmed and what they doubted.",
  },
  {
    id: "MEASURE 4.3",
    title: "Measured improvement or decline is identified and written down",
    guidance:
      "Compare each release with the last by the same measures. Attach the comparison with the cause of each change.",
  },
]);
