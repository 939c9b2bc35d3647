import { GENERAL, market, paragraphs } from "./terms.js";

const CONFORMITY = paragraphs({ ...market, roles: ["provider"] }, [
  {
    id: "43(1)",
    title: "Biometric systems are assessed by internal control or by a notified body",
    guidance:
      "State which procedure was chosen and which standards were applied. Attach the certificate or the internal report.",
  },
  {
    id: "43(2)",
    title: "Other systems of Annex III are assessed by internal control",
    weight: 2,
    guidance: "Work through Annex VI for each asset of high risk before its promotion. Attach the signed result.",
  },
  {
    id: "43(3)",
    title: "Products of Annex I are assessed by the procedure of their own law",
    guidance: "Attach the assessment under product law with the part on the requirements of Articles 8 to 15.",
  },
  {
    id: "43(4)",
    title: "A substantial modification calls for a new assessment",
    guidance:
      "Decide at each new version whether the change is substantial and note it in the review. Attach the decisions of the year.",
  },
  {
    id: "47(1)",
    title: "A signed declaration of conformity is drawn up and kept for ten years",
    weight: 2,
    guidance: "Attach the declaration of every asset of high risk with the version it is about.",
  },
  {
    id: "47(2)",
    title: "The declaration states what Annex V asks for, in the languages of the countries",
    guidance: "Check the declaration against Annex V point by point. Attach the check and the translations.",
  },
  {
    id: "47(3)",
    title: "One declaration covers all Union law on the product",
    guidance: "Attach the single declaration that names every act, or declare that no other act asks for one.",
  },
  {
    id: "47(4)",
    title: "The provider answers for the declaration and keeps it up to date",
    guidance: "Name who renews the declaration when the version in production changes. Attach the last renewal.",
  },
  {
    id: "48(1)",
    title: "The CE marking follows the general principles of Union law",
    guidance: "Have product counsel confirm the form of the marking. Attach the confirmation.",
  },
  {
    id: "48(2)",
    title: "A digital system carries a digital CE marking that is easily reached",
    guidance: "Show the marking in the interface or by a code that machines read. Attach the screen that shows it.",
  },
  {
    id: "48(3)",
    title: "The CE marking is visible, legible and indelible",
    guidance: "Attach a picture of the product, packaging or accompanying paper with the marking.",
  },
  {
    id: "48(4)",
    title: "The number of the notified body follows the CE marking where one took part",
    guidance: "Attach the marking with the number, or declare that no notified body took part.",
  },
  {
    id: "48(5)",
    title: "The CE marking states conformity with all other law that asks for it",
    guidance: "List the acts that ask for the marking beside this one. Attach the list with their proofs.",
  },
  {
    id: "49(1)",
    title: "Providers register themselves and their systems of Annex III",
    weight: 2,
    guidance:
      "Keep the number of the Union database in the metadata of each asset. Attach the entry as it is published.",
  },
  {
    id: "49(2)",
    title: "Systems held to be harmless under Article 6(3) are registered too",
    guidance: "Attach the entry of each asset whose tier was lowered on one of those grounds.",
  },
  {
    id: "49(3)",
    title: "Public bodies that deploy register themselves and their use",
    roles: ["deployer"],
    guidance: "Register each use before it starts and attach the entry, or declare that you are no public body.",
  },
  {
    id: "49(4)",
    title: "Systems of police, migration and border control are registered in the closed part",
    roles: ["provider", "deployer"],
    guidance: "Attach the receipt of the closed registration, or declare that there is no such system.",
  },
  {
    id: "49(5)",
    title: "Systems of critical infrastructure are registered nationally",
    guidance: "Attach the national registration, or declare that none serves critical infrastructure.",
  },
]);

const TRANSPARENCY = paragraphs({ appliesFrom: GENERAL }, [
  {
    id: "50(1)",
    title: "People learn that they deal with AI",
    weight: 2,
    roles: ["provider"],
    policyRules: ["transparency-notice"],
    automation:
      "Passes show that each agent that meets people is marked as showing a notice. They do not show the notice itself, which the screenshot does.",
    guidance:
      "Show a notice at the first contact with every agent that meets people; the rule checks that each says it does. Attach the screen of the notice.",
  },
  {
    id: "50(2)",
    title: "Generated audio, images, video and text carry a mark that machines read",
    weight: 2,
    roles: ["provider"],
    guidance:
      "Switch on watermarks or provenance data in each generating model. Attach an output with the result of a detector.",
    note: "Systems from before 2 August 2026 have until 2 December 2026.",
  },
  {
    id: "50(3)",
    title: "People are told of emotion recognition and biometric categorisation",
    roles: ["deployer"],
    guidance: "Attach the notice that people see before they are exposed, or declare that there is no such system.",
  },
  {
    id: "50(4)",
    title: "Deep fakes, and generated texts on public matters, are disclosed",
    roles: ["deployer"],
    guidance:
      "Label what is published, or name the editor who answers for a text. Attach the editorial rule and a sample.",
  },
  {
    id: "50(5)",
    title: "Notices are clear, accessible and there at the first contact",
    roles: ["provider", "deployer"],
    guidance: "Test each notice with a screen reader and on small screens. Attach the test.",
  },
]);

const AFTERWARDS = paragraphs({ ...market, roles: ["provider"] }, [
  {
    id: "72(1)",
    title: "Monitoring after market is set up in proportion to the risks",
    guidance: "Name what is watched for each asset of high risk, by whom and how often. Attach that overview.",
  },
  {
    id: "72(2)",
    title: "Data on performance is collected and analysed over the whole life",
    weight: 2,
    guidance:
      "Gather findings, sessions and feedback of deployers each quarter. Attach the analysis and what followed from it.",
  },
  {
    id: "72(3)",
    title: "A monitoring plan is part of the technical documentation",
    guidance: "Attach the plan; the Commission gives a template for it by 2 September 2027.",
  },
  {
    id: "73(1)",
    title: "Serious incidents are reported to the authority of the country",
    weight: 2,
    guidance:
      "Name in the plan for incidents who reports where. Attach the reports, or the record that there was none.",
  },
  {
    id: "73(2)",
    title: "A report follows at the latest fifteen days after awareness",
    guidance: "Set a due date of fifteen days on the finding of an incident. Attach times of awareness and report.",
  },
  {
    id: "73(3)",
    title: "Widespread incidents and disruption of infrastructure are reported within two days",
    guidance: "Mark findings of that kind `critical` so that they page somebody. Attach the drill that met two days.",
  },
  {
    id: "73(4)",
    title: "A death is reported within ten days, as soon as a link is suspected",
    guidance: "Write into the plan that suspicion suffices. Attach the plan with its list of contacts.",
  },
  {
    id: "73(5)",
    title: "An incomplete report comes first where that is faster",
    guidance: "Keep a short form for the first report. Attach the form and who may send it at night.",
  },
  {
    id: "73(6)",
    title: "The provider investigates, corrects, and leaves the system as evidence",
    guidance:
      "Suspend the asset rather than change it until the authority was told. Attach the investigation with its correction.",
  },
]);

const EXPLANATION = paragraphs({ ...market, roles: ["deployer"] }, [
  {
    id: "86(1)",
    title: "Affected people get a clear explanation of the system's part in a decision",
    weight: 2,
    guidance:
      "Write down how a request is answered and from which logged inputs. Attach an answer without personal data.",
  },
  {
    id: "86(2)",
    title: "Exceptions from explanation rest on law",
    guidance: "Attach the provision for each kind of decision that is not explained, or state that there is none.",
  },
  {
    id: "86(3)",
    title: "The right to explanation steps back where Union law already gives one",
    guidance:
      "List the decisions that data protection or credit law already covers. Attach the list with the articles.",
  },
]);

/** Articles 43, 47 to 50, 72, 73 and 86: conformity, transparency, and what follows after market. */
export const MARKET = [...CONFORMITY, ...TRANSPARENCY, ...AFTERWARDS, ...EXPLANATION];
