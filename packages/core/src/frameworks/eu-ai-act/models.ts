import { MODELS, paragraphs } from "./terms.js";

/** Articles 53 to 55: providers of general-purpose models. */
export const GENERAL_PURPOSE = paragraphs(
  {
    appliesFrom: MODELS,
    roles: ["gpai_provider"],
    note: "Models from before 2 August 2025 have until 2 August 2027.",
  },
  [
    {
      id: "53(1)(a)",
      title: "Technical documentation of the model is kept for the AI Office",
      weight: 2,
      guidance: "Keep a model card after Annex XI in the record of each model of your own. Attach its current edition.",
    },
    {
      id: "53(1)(b)",
      title: "Those who build on the model get information on what it can and cannot do",
      guidance: "Publish limits, formats and terms after Annex XII with each release. Attach the published page.",
    },
    {
      id: "53(1)(c)",
      title: "A policy honours copyright and the reservations of rights holders",
      guidance: "Attach the policy and the settings by which crawlers respect reservations that machines read.",
    },
    {
      id: "53(1)(d)",
      title: "A summary of the content used for training is public",
      guidance: "Fill in the template of the AI Office for each model. Attach the address of the published summary.",
    },
    {
      id: "53(2)",
      title: "Open models without systemic risk rest on the exception by right",
      guidance: "Attach licence, weights and architecture as published, or declare that the model is not open.",
    },
    {
      id: "53(3)",
      title: "Model providers cooperate with the Commission and authorities",
      guidance: "Name who answers the AI Office about each model. Attach requests and the days the answers took.",
    },
    {
      id: "54(1)",
      title: "Model providers outside the Union appoint a representative before market",
      guidance: "Attach the mandate for models, or declare that you are established in the Union.",
    },
    {
      id: "54(2)",
      title: "The representative for models is enabled to do the tasks of the mandate",
      guidance: "Grant the representative access to documentation and to those who wrote it. Attach the grants.",
    },
    {
      id: "54(3)",
      title: "The mandate for models covers documentation, information and cooperation",
      guidance:
        "Hold the mandate for models against the list of tasks. Attach the result with the ten years of keeping.",
    },
    {
      id: "54(5)",
      title: "The representative for models steps down where the provider breaks its duties",
      guidance: "Attach the clause by which the mandate ends and the AI Office learns of it.",
    },
    {
      id: "55(1)(a)",
      title: "Models with systemic risk are evaluated with adversarial tests",
      weight: 2,
      guidance:
        "Evaluate each such model by standard protocols and red teams. Attach the results to its record as evaluations.",
    },
    {
      id: "55(1)(b)",
      title: "Systemic risks are assessed and mitigated with their sources",
      weight: 2,
      guidance:
        "Make a risk assessment of the model at the level of the Union. Attach the safety framework that follows from it.",
    },
    {
      id: "55(1)(c)",
      title: "Serious incidents of models are tracked and reported without delay",
      guidance: "Track incidents of the model as findings with their corrections. Attach the reports to the AI Office.",
    },
    {
      id: "55(1)(d)",
      title: "The model and its infrastructure are secured",
      guidance:
        "Protect weights, training and serving against theft and tampering. Attach the last security audit of all three.",
    },
    {
      id: "55(2)",
      title: "Codes of practice or standards show compliance until harmonised ones exist",
      guidance: "Name the code you signed and where you depart from it. Attach the signed form.",
    },
    {
      id: "55(3)",
      title: "What is told under this article stays confidential",
      guidance: "Mark what is a trade secret in papers for the AI Office. Attach the marking rule.",
    },
  ],
);
