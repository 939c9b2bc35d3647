import { controlsOf } from "../control.js";
import { NIST_DOCUMENT } from "./govern.js";

/** The function that acts on risks. */
export const MANAGE = controlsOf(`${NIST_DOCUMENT}, `, [
  {
    id: "MANAGE 1.1",
    title: "Whether a system reaches its purpose and should go on is decided",
    guidance:
      "Decide at each review whether the system reaches its purpose and goes on. Attach the decision with its figures.",
  },
  {
    id: "MANAGE 1.2",
    title: "Treatment of risks is prioritised by impact, likelihood and means",
    guidance: "Order treatment by impact, likelihood and means. Attach the ordered list and what was put off.",
  },
  {
    id: "MANAGE 1.3",
    title: "Responses to high-priority risks are developed, planned and written down",
    guidance:
      "Write for each grave risk whether it is lessened, moved, avoided or accepted. Attach the plans with due dates.",
    weight: 2,
  },
  {
    id: "MANAGE 1.4",
    title: "Risks that remain are told to acquirers and users downstream",
    guidance: "Tell buyers and users downstream which risks remain. Attach the notice that goes with the system.",
  },
  {
    id: "MANAGE 2.1",
    title: "Resources for managing risk are set, and ways without AI are considered",
    guidance:
      "Grant people and tools for managing risk, and weigh a way without AI. Attach the grant and that comparison.",
  },
  {
    id: "MANAGE 2.2",
    title: "The value of deployed systems is sustained by mechanisms that are applied",
    guidance: "Maintain data, models and prompts so that value lasts. Attach the maintenance plan with its last run.",
  },
  {
    id: "MANAGE 2.3",
    title: "There is a way to respond to and recover from risks not known before",
    guidance:
      "Have a procedure for risks nobody foresaw, from alarm to recovery. Attach the procedure and an exercise.",
  },
  {
    id: "MANAGE 2.4",
    title: "Systems that do what was not intended can be superseded, disengaged or switched off",
    guidance:
      "Try suspension and kill switches on what runs. Attach the record of the trial, with who switched what off and how long it took.",
    weight: 2,
  },
  {
    id: "MANAGE 3.1",
    title: "Risks and benefits of third-party resources are monitored and controlled",
    guidance:
      "Watch terms, incidents and retirement dates of suppliers; the rule warns before a model ends. Attach the supplier review.",
    policyRules: ["not-past-retirement"],
    automation:
      "The end that a provider sets to a model is a third-party risk with a date, and passes show that none is near or unknown. They do not show benefits, terms or incidents.",
  },
  {
    id: "MANAGE 3.2",
    title: "Pre-trained models in use are part of monitoring and maintenance",
    guidance:
      "Re-evaluate pre-trained models at each version their makers change, and move agents off those that are retired, which the rule checks. Attach evaluations before and after.",
    policyRules: ["no-retired-model"],
    automation:
      "A model that is retired is no longer maintained, and passes show that no agent uses one. They do not show that those in use are monitored.",
  },
  {
    id: "MANAGE 4.1",
    title: "Systems are monitored after deployment, with appeal, override and decommissioning",
    guidance:
      "Watch deployed systems with ways to appeal, override, respond and retire. Attach the plan with the owner of each way.",
  },
  {
    id: "MANAGE 4.2",
    title: "Continual improvement is part of updates and engages those concerned",
    guidance: "Plan improvements into each release with those concerned. Attach the release notes that name them.",
  },
  {
    id: "MANAGE 4.3",
    title: "Incidents and errors are told to those concerned, tracked and recovered from",
    guidance:
      "Tell those concerned about incidents, track them as findings and recover. Attach the last incident from alarm to lesson.",
    weight: 2,
  },
]);
