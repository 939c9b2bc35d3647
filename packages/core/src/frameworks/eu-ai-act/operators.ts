import { highRisk, paragraphs } from "./terms.js";

const IMPORTERS = paragraphs({ ...highRisk, roles: ["importer"] }, [
  {
    id: "23(1)",
    title: "Importers verify assessment, documentation, marking and representative before market",
    weight: 2,
    guidance:
      "Fill in a checklist for each imported asset before it leaves review. Attach it with copies of what was seen.",
  },
  {
    id: "23(2)",
    title: "Importers hold back what does not conform or was falsified",
    guidance:
      "Reject the asset with the reason in its review. Attach the message to the provider and, where there is risk, to the authority.",
  },
  {
    id: "23(3)",
    title: "The importer is named on the system or its papers",
    guidance: "Add your name and contact to packaging or documentation. Attach a picture or page of it.",
  },
  {
    id: "23(4)",
    title: "Storage and transport keep the system in conformity while importers hold it",
    guidance:
      "Compare the digest of what was received with what is passed on. Attach both digests of the last delivery.",
  },
  {
    id: "23(5)",
    title: "Importers keep certificate, instructions and declaration for ten years",
    guidance:
      "File the three papers of every imported system under one number. Attach the retention rule of that file.",
  },
  {
    id: "23(6)",
    title: "Importers give authorities the documents they ask for",
    guidance:
      "Name who gets papers from the provider within days. Attach the agreement that obliges the provider to deliver.",
  },
  {
    id: "23(7)",
    title: "Importers cooperate with authorities to lessen risks",
    guidance: "Attach the correspondence on each measure of an authority, or state that there was none in the year.",
  },
]);

const DISTRIBUTORS = paragraphs({ ...highRisk, roles: ["distributor"] }, [
  {
    id: "24(1)",
    title: "Distributors verify marking, declaration and instructions before they supply",
    weight: 2,
    guidance: "Add the three checks to the intake of every product you resell. Attach the completed intake forms.",
  },
  {
    id: "24(2)",
    title: "Distributors hold back what they believe does not conform",
    guidance:
      "Stop the listing and keep the finding open until the provider answers. Attach the notice to provider or importer.",
  },
  {
    id: "24(3)",
    title: "Storage and transport do no harm while distributors hold the system",
    guidance:
      "Describe how packages are stored and signed in the supply chain. Attach the description with its last audit.",
  },
  {
    id: "24(4)",
    title: "Distributors correct, withdraw or recall what they supplied, and tell of risks",
    guidance:
      "Keep a list of customers by version for recalls. Attach the record of the last recall or of an exercise.",
  },
  {
    id: "24(5)",
    title: "Distributors tell authorities what they did when asked",
    guidance: "Keep the actions under the four paragraphs before this one in one log. Attach the log of the year.",
  },
  {
    id: "24(6)",
    title: "Distributors cooperate with authorities on systems they supplied",
    guidance: "Name a contact for the authorities on your site. Attach the page and the answers that were given.",
  },
]);

const CHAIN = [
  ...paragraphs({ ...highRisk, roles: ["deployer", "importer", "distributor"] }, [
    {
      id: "25(1)",
      title: "Who rebrands, changes or repurposes a system takes on the duties of its provider",
      weight: 2,
      guidance:
        "Ask at each change of purpose, model or name whether you became the provider. If so adopt this framework with the role `provider` as well, and attach the analysis.",
    },
  ]),
  ...paragraphs({ ...highRisk, roles: ["provider"] }, [
    {
      id: "25(2)",
      title: "The first provider helps the new one with information and access",
      guidance: "Attach the package that was handed over, or the clause in which you excluded a change to high risk.",
    },
    {
      id: "25(3)",
      title: "Makers of products of Annex I count as providers of the AI in them",
      guidance: "List your products with built-in safety components and who signs for each. Attach the list.",
    },
    {
      id: "25(4)",
      title: "Written agreements with suppliers secure information and help",
      guidance:
        "Record tools, models and servers of others as related assets of each system. Attach the agreement with each supplier among them.",
    },
  ]),
];

const DEPLOYERS = paragraphs({ ...highRisk, roles: ["deployer"] }, [
  {
    id: "26(1)",
    title: "Deployers use the system as its instructions say",
    weight: 2,
    policyRules: ["prod-needs-approval"],
    automation:
      "An approval is where somebody has compared the intended use with the instructions, and passes show that everything in production has one. They do not show that use stays within them.",
    guidance:
      "Review and approve everything that runs in production against its instructions, which the rule checks. Attach the measures that keep use within them.",
  },
  {
    id: "26(2)",
    title: "Oversight is given to people with competence, training, authority and support",
    weight: 2,
    guidance:
      "Name a living owner and a sponsor of each system. Attach their training records and the mandate to stop it.",
  },
  {
    id: "26(3)",
    title: "Other duties and the freedom to organise oversight stay as they are",
    guidance: "List the other laws on the use of each system. Attach how its oversight serves them too.",
  },
  {
    id: "26(4)",
    title: "Input data is relevant and representative where the deployer controls it",
    guidance: "Describe which data you feed the system and how it is checked. Attach the last check of a sample.",
  },
  {
    id: "26(5)",
    title: "Operation is monitored; risks and incidents are told and use is suspended",
    weight: 2,
    guidance:
      "Watch findings and sessions of the system daily and suspend it at a risk. Attach the plan of whom you tell, and the last notice.",
  },
  {
    id: "26(6)",
    title: "Logs under the control of the deployer are kept for at least six months",
    guidance:
      "Collect the system's events here or in your log store for six months or longer. Attach the retention setting.",
  },
  {
    id: "26(7)",
    title: "Workers and their representatives are told before a system is used at work",
    guidance: "Attach the notice to staff and to the works council, dated before the promotion to production.",
  },
  {
    id: "26(8)",
    title: "Public bodies register and use only registered systems",
    guidance: "Attach the number of each system in the Union database, or declare that you are no public body.",
  },
  {
    id: "26(9)",
    title: "Information from the provider goes into the data protection impact assessment",
    guidance: "Refer to the instructions in the data protection assessment of the system. Attach the assessment.",
  },
  {
    id: "26(10)",
    title: "Later biometric identification is authorised, targeted, documented and reported",
    guidance: "Attach authorisation and yearly report of each use, or declare that there is no such system.",
  },
  {
    id: "26(11)",
    title: "People about whom the system decides or helps decide are told",
    weight: 2,
    guidance: "Put the notice into letters and screens that carry such decisions. Attach a sample of each.",
  },
  {
    id: "26(12)",
    title: "Deployers cooperate with authorities",
    guidance: "Name who answers authorities about systems in use. Attach requests and answers of the year.",
  },
]);

const RIGHTS = paragraphs({ ...highRisk, roles: ["deployer"] }, [
  {
    id: "27(1)",
    title: "The impact on fundamental rights is assessed before first use, where that is required",
    weight: 3,
    policyRules: ["high-risk-impact-assessment"],
    automation:
      "Passes show that a second person approved an impact assessment of each asset of high risk as it is now. They do not show that its answers are right or that it was before first use.",
    guidance:
      "Assess the impact on fundamental rights for each asset of high risk and attach it with its digest. The rule checks only that the asset says so; a second person attests the control.",
  },
  {
    id: "27(2)",
    title: "The assessment is updated when what it rests on changes",
    guidance:
      "Assess again after a year at most and after changes; `validUntil` ends evidence that has grown old. Attach the list of assessments with their ends.",
  },
  {
    id: "27(3)",
    title: "The authority is notified of the result",
    guidance: "Send the filled-in template to the market surveillance authority. Attach the receipt with its date.",
  },
  {
    id: "27(4)",
    title: "A data protection impact assessment is complemented, not repeated",
    guidance: "Refer from each answer to the chapter of the data protection assessment that covers it. Attach both.",
  },
]);

/** Articles 23 to 27: importers, distributors, the value chain and deployers. */
export const OPERATORS = [...IMPORTERS, ...DISTRIBUTORS, ...CHAIN, ...DEPLOYERS, ...RIGHTS];
