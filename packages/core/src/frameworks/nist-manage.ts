import { controlsOf } from "./control.js";
import { NIST_DOCUMENT } from "./nist-govern.js";

/** The function that acts on risks. */
export const MANAGE = controlsOf(`${NIST_DOCUMENT}, `, [
  { id: "MANAGE 1.1", title: "Whether a system reaches its purpose and should go on is decided" },
  { id: "MANAGE 1.2", title: "Treatment of risks is prioritised by impact, likelihood and means" },
  { id: "MANAGE 1.3", title: "Responses to high-priority risks are developed, planned and written down", weight: 2 },
  { id: "MANAGE 1.4", title: "Risks that remain are told to acquirers and users downstream" },
  { id: "MANAGE 2.1", title: "Resources for managing risk are set, and ways without AI are considered" },
  { id: "MANAGE 2.2", title: "The value of deployed systems is sustained by mechanisms that are applied" },
  { id: "MANAGE 2.3", title: "There is a way to respond to and recover from risks not known before" },
  {
    id: "MANAGE 2.4",
    title: "Systems that do what was not intended can be superseded, disengaged or switched off",
    weight: 2,
    policyRules: ["no-retired-model"],
    remediation: "Move agents off models that are deprecated or retired.",
  },
  {
    id: "MANAGE 3.1",
    title: "Risks and benefits of third-party resources are monitored and controlled",
    policyRules: ["not-past-retirement"],
    remediation: "Plan the move before the provider retires the model.",
  },
  { id: "MANAGE 3.2", title: "Pre-trained models in use are part of monitoring and maintenance" },
  { id: "MANAGE 4.1", title: "Systems are monitored after deployment, with appeal, override and decommissioning" },
  { id: "MANAGE 4.2", title: "Continual improvement is part of updates and engages those concerned" },
  {
    id: "MANAGE 4.3",
    title: "Incidents and errors are told to those concerned, tracked and recovered from",
    weight: 2,
  },
]);
