import { CHECKED_ON, controlsOf } from "./control.js";
import type { BuiltinFramework } from "./schema.js";

/** Chapter III, sections 1 to 3, for high-risk systems (Annex III). Products of Annex I follow on 2028-08-02. */
const HIGH_RISK = "2027-12-02";
/** Provisions without an exception in Article 113, including Chapter IX with Articles 72 and 73. */
const GENERAL = "2026-08-02";
const FIRST = "2025-02-02";

/** An unclassified asset may be high-risk, so it counts as such here. */
const WHERE_HIGH_RISK = "estate.riskTier.high > 0 || estate.riskTier.unclassified > 0";
const highRisk = { appliesFrom: HIGH_RISK, applicability: WHERE_HIGH_RISK } as const;
const provider = { ...highRisk, appliesTo: "provider" } as const;
const deployer = { ...highRisk, appliesTo: "deployer" } as const;

const ARTICLES = controlsOf("Regulation (EU) 2024/1689, Article ", [
  { id: "4", title: "Measures support the AI literacy of staff", appliesFrom: FIRST },
  {
    id: "5",
    title: "No prohibited practice is carried out",
    appliesFrom: FIRST,
    weight: 3,
    remediation:
      "Take systems of tier `prohibited` out of service. Two further prohibitions bind from 2 December 2026.",
  },
  {
    id: "9",
    title: "A risk management system runs through the whole life of a high-risk system",
    weight: 2,
    ...provider,
  },
  {
    id: "10",
    title: "Data for training, validation and testing is governed and fit for its purpose",
    weight: 2,
    policyRules: ["restricted-data-external-model"],
    remediation: "Keep restricted data away from models that others run.",
    ...provider,
  },
  {
    id: "11",
    title: "Technical documentation is drawn up before and kept up to date",
    policyRules: ["model-card-and-eval"],
    remediation: "Give every model a card and the results of an evaluation.",
    ...provider,
  },
  { id: "12", title: "The system records events over its lifetime", weight: 2, ...provider },
  { id: "13", title: "Deployers get instructions by which they understand and use the output", ...provider },
  {
    id: "14",
    title: "People can oversee, understand, override and stop the system",
    weight: 2,
    policyRules: ["destructive-tools-gated"],
    remediation: "Have every tool that destroys ask for consent before each call.",
    ...provider,
  },
  { id: "15", title: "Accuracy, robustness and cybersecurity are fit for the purpose", weight: 2, ...provider },
  {
    id: "26",
    title: "Deployers use the system as instructed, oversee it, keep its logs and inform people",
    weight: 2,
    policyRules: ["prod-needs-approval"],
    remediation: "Have everything that runs in production reviewed and approved.",
    ...deployer,
  },
  {
    id: "27",
    title: "The impact on fundamental rights is assessed before first use, where that is required",
    weight: 2,
    policyRules: ["high-risk-impact-assessment"],
    remediation: "Assess the impact, and say so in the metadata of the asset.",
    ...deployer,
  },
  {
    id: "50",
    title: "People learn that they deal with AI, and generated content is marked",
    weight: 2,
    appliesFrom: GENERAL,
    policyRules: ["transparency-notice"],
    remediation:
      "Tell people that they talk to an AI. Marking of systems from before 2 August 2026 is due on 2 December 2026.",
  },
  {
    id: "72",
    title: "A plan is followed for monitoring the system after it is on the market",
    remediation: "Draw up a plan; the Commission gives a template for it by 2 September 2027.",
    appliesFrom: GENERAL,
    applicability: WHERE_HIGH_RISK,
    appliesTo: "provider",
  },
  {
    id: "73",
    title: "Serious incidents are reported to the authorities in time",
    weight: 2,
    appliesFrom: GENERAL,
    applicability: WHERE_HIGH_RISK,
    appliesTo: "provider",
  },
]);

/** The European regulation on artificial intelligence, as amended in July 2026. */
export const EU_AI_ACT: BuiltinFramework = {
  key: "eu-ai-act-2024-1689",
  version: 1,
  name: "EU Artificial Intelligence Act",
  publisher: "European Union",
  edition: "Regulation (EU) 2024/1689 as amended by Regulation (EU) 2026/1744",
  sourceUrl: "https://eur-lex.europa.eu/eli/reg/2024/1689/oj",
  source:
    "Article 113 as amended by Article 1, point 40, of Regulation (EU) 2026/1744 (Digital Omnibus on AI; OJ L, 24.7.2026, in force 27.7.2026). Dates are from the wording of the " +
    "consolidated text of 27.7.2026 as several independent public copies quote it, which agree; the Official Journal itself was not at hand. The Regulation applies from 2 August 2026, but: " +
    "Chapters I and II (here Articles 4 and 5) from 2 February 2025, two prohibitions in Article 5 from 2 December 2026; Chapter III sections 1 to 3 (here Articles 9 to 15, 26 and 27) " +
    "from 2 December 2027 for Annex III and from 2 August 2028 for Annex I, of which the earlier day is given. Article 50 keeps the general date. " +
    "So do Articles 72 and 73: they stand in Chapter IX, which no exception names. What makes a system one of high risk (Article 6) applies only from 2 December 2027, " +
    "so what Articles 72 and 73 ask of anybody before then is not settled; the day of the text is given. Titles are ours.",
  checkedOn: CHECKED_ON,
  terms: "© European Union; legal texts may be reused with acknowledgement (Decision 2011/833/EU).",
  controls: ARTICLES,
};
