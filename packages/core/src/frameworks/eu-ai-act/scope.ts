import { ADDED, FIRST, HIGH_RISK, MOVED, paragraphs } from "./terms.js";

const LITERACY = paragraphs({ appliesFrom: FIRST, roles: ["provider", "deployer"] }, [
  {
    id: "4",
    title: "Measures support the AI literacy of those who run and use AI",
    guidance:
      "Train the owners, sponsors and operators of each asset for what they do with it. Attach the course plan and the list of who took it, and repeat both each year.",
    note: "The amendment of July 2026 turned a result to be ensured into measures to be taken; its wording was not at hand.",
  },
]);

const PROHIBITED = paragraphs({ appliesFrom: FIRST, weight: 3 }, [
  {
    id: "5(1)(a)",
    policyRules: ["no-prohibited-use"],
    automation:
      "Passes show that nothing classified as prohibited is in use. They do not show that this practice was looked for, which is why people assess it too.",
    title: "No system manipulates people beneath their awareness to their harm",
    guidance:
      "Review every asset that persuades or recommends before it is approved. Give those that work by hidden influence the tier `prohibited`, retire them, and attach the review of the remaining ones.",
  },
  {
    id: "5(1)(b)",
    policyRules: ["no-prohibited-use"],
    automation:
      "Passes show that nothing classified as prohibited is in use. They do not show that this practice was looked for, which is why people assess it too.",
    title: "No system exploits age, disability or hardship to harm people",
    guidance:
      "Note in the description of each asset whom it addresses. Attach the review of those that reach children, people with disabilities or people in need.",
  },
  {
    id: "5(1)(c)",
    policyRules: ["no-prohibited-use"],
    automation:
      "Passes show that nothing classified as prohibited is in use. They do not show that this practice was looked for, which is why people assess it too.",
    title: "No system scores people socially to treat them worse out of context",
    guidance:
      "Search the estate for assets that rate people over time. Attach for each what the score is used for, and retire those whose score leaves its context.",
  },
  {
    id: "5(1)(d)",
    policyRules: ["no-prohibited-use"],
    automation:
      "Passes show that nothing classified as prohibited is in use. They do not show that this practice was looked for, which is why people assess it too.",
    title: "No system predicts crime of a person from profiling alone",
    guidance:
      "Attach a statement from the owners of fraud and security assets that a verifiable fact stands behind each suspicion, not a profile alone.",
  },
  {
    id: "5(1)(e)",
    policyRules: ["no-prohibited-use"],
    automation:
      "Passes show that nothing classified as prohibited is in use. They do not show that this practice was looked for, which is why people assess it too.",
    title: "No database of faces is built by untargeted scraping",
    guidance:
      "Record where the training data of each recognition model is from. Attach the licence or consent under which its images were gathered.",
  },
  {
    id: "5(1)(f)",
    policyRules: ["no-prohibited-use"],
    automation:
      "Passes show that nothing classified as prohibited is in use. They do not show that this practice was looked for, which is why people assess it too.",
    title: "No system reads emotions at work or in education",
    guidance:
      "Check agents for meetings, calls and learning for emotion features and switch these off. Attach the setting that shows it, or the medical or safety reason.",
  },
  {
    id: "5(1)(g)",
    policyRules: ["no-prohibited-use"],
    automation:
      "Passes show that nothing classified as prohibited is in use. They do not show that this practice was looked for, which is why people assess it too.",
    title: "No system infers protected traits of persons from biometric data",
    guidance:
      "List the assets that take biometric input in their labels. Attach what each derives from it, and retire those that derive race, opinion, belief or orientation.",
  },
  {
    id: "5(1)(h)",
    policyRules: ["no-prohibited-use"],
    automation:
      "Passes show that nothing classified as prohibited is in use. They do not show that this practice was looked for, which is why people assess it too.",
    title: "No real-time biometric identification in public places for law enforcement outside the exceptions",
    guidance:
      "Declare it not applicable unless you act for law enforcement. Otherwise attach the law and the case that permit each use.",
  },
  {
    id: "5(1) as amended",
    title: "No system makes abuse material of children or intimate images without consent",
    appliesFrom: ADDED,
    guidance:
      "Test each agent and model that makes images, audio or video with prompts for such content before approval. Attach the test results and the safeguards that refuse it.",
    note: "Added by Regulation (EU) 2026/1744 from 2 December 2026. The letters of the added points were not at hand.",
  },
]);

const PERMITTED = paragraphs({ appliesFrom: FIRST, roles: ["deployer"] }, [
  {
    id: "5(2)",
    title: "Permitted biometric identification confirms one target, after an impact assessment and registration",
    guidance:
      "Attach the impact assessment of the use, with its digest and who approved it, before the first use. Attach the number of the registration.",
  },
  {
    id: "5(3)",
    title: "Each permitted use of biometric identification is authorised beforehand",
    guidance:
      "Attach the authorisation by a court or an independent authority to the assessment of the asset, one piece of evidence for each use.",
  },
  {
    id: "5(4)",
    title: "Each permitted use of biometric identification is notified to the authorities",
    guidance:
      "Send the notice to the market surveillance and the data protection authority. Attach both receipts, without operational data.",
  },
]);

const CLASSIFIED = paragraphs({ appliesFrom: HIGH_RISK, roles: ["provider"], note: MOVED }, [
  {
    id: "6(1)",
    title: "Safety components and products of Annex I are classified as high-risk",
    appliesFrom: "2028-08-02",
    note: "The amendment of July 2026 moved the day from 2 August 2027.",
    guidance:
      "Set the risk tier `high` on each asset that is a safety component of a product under Annex I. Attach the list of products with the law that each falls under.",
  },
  {
    id: "6(2)",
    title: "Systems in an area of Annex III are classified as high-risk",
    weight: 2,
    guidance:
      "Hold the purpose of each asset against the eight areas of Annex III. Set its risk tier with a rationale, leave none `unclassified`, and attach the comparison.",
  },
  {
    id: "6(3)",
    title: "A system of Annex III counts as harmless only on the grounds that the article names",
    guidance:
      "Name the ground in the rationale of the lower tier: a narrow task, a polish of human work, a check for patterns, or preparation. Keep the tier `high` wherever people are profiled, and attach the reasoning.",
  },
  {
    id: "6(4)",
    title: "Who holds a system of Annex III to be harmless documents that and registers it",
    guidance:
      "Attach the documented assessment from before it went on the market, and the number of its registration under Article 49(2).",
  },
]);

/** Articles 4 to 6: literacy, prohibitions, and what is of high risk. */
export const SCOPE = [...LITERACY, ...PROHIBITED, ...PERMITTED, ...CLASSIFIED];
