import { highRisk, paragraphs } from "./terms.js";

/** Articles 8 to 15: what a high-risk system has to be like. */
export const REQUIREMENTS = paragraphs({ ...highRisk, roles: ["provider"] }, [
  {
    id: "8(1)",
    title: "The system meets Articles 9 to 15 for its purpose and the state of the art",
    guidance:
      "Keep one assessment of each of Articles 9 to 15 per asset of high risk. Attach the summary that weighs them against the intended purpose.",
  },
  {
    id: "8(2)",
    title: "Documentation and tests are joined with those of other product law",
    guidance:
      "Attach the matrix that shows which test and which chapter of the product file serves which requirement here.",
  },
  {
    id: "9(1)",
    title: "A risk management system is set up, documented and maintained",
    weight: 2,
    guidance:
      "Write the procedure for finding and treating risks of AI and name its owner. Attach its current edition and the record of its last review.",
  },
  {
    id: "9(2)",
    title: "Risks are identified, estimated and treated again and again over the whole life",
    weight: 2,
    guidance:
      "Attach the risk assessment of each asset and let the approval of the asset end after a year at most. The decisions in its activity show the renewals.",
  },
  {
    id: "9(3)",
    title: "Risks are those that design or information can reduce",
    guidance:
      "Mark in the risk register who can reduce each risk. Attach the register with the risks left to deployers told apart.",
  },
  {
    id: "9(4)",
    title: "Measures are weighed together, so that one does not undo another",
    guidance:
      "Attach the note on how the measures of an asset affect one another, for example stricter filters and falling accuracy.",
  },
  {
    id: "9(5)",
    title: "What risk remains is judged acceptable, for each hazard and overall",
    guidance:
      "State the remaining risk in the conclusion of the risk assessment. Attach it with the name of who accepted it; a second person attests the control.",
  },
  {
    id: "9(6)",
    title: "Tests find the measures that fit best and show consistent performance",
    guidance:
      "Attach test results to the model record as evaluations, from before and after each measure. Both runs belong in the evidence.",
  },
  {
    id: "9(7)",
    title: "Tests in the real world follow Article 60",
    guidance:
      "Run such tests in the environment `staging` under an approval with conditions. Attach the plan and the consent of participants, or declare that none are held.",
  },
  {
    id: "9(8)",
    title: "Tests use metrics and thresholds that were set beforehand",
    guidance:
      "Set the thresholds in the test plan before the run. Attach the plan with its date and the results that came after it.",
  },
  {
    id: "9(9)",
    title: "Harm to minors and other vulnerable groups is considered",
    guidance:
      "Name minors among the affected groups in the impact assessment that you attach. Attach the tests with inputs typical of them.",
  },
  {
    id: "9(10)",
    title: "Risk management already asked for by other law may be combined",
    guidance:
      "Attach the mapping from the risk procedure of your sector to Article 9, or declare that no other law asks for one.",
  },
  {
    id: "10(1)",
    title: "Models are trained, validated and tested on data that meets quality criteria",
    weight: 2,
    guidance:
      "Name the training, validation and test sets of each own model in its record. Attach the quality report of each set.",
  },
  {
    id: "10(2)",
    title: "Data governance covers origin, preparation, assumptions, bias and gaps",
    weight: 2,
    guidance:
      "Attach a data sheet per set with origin, purpose of collection, labelling, cleaning, known bias and missing parts.",
  },
  {
    id: "10(3)",
    title: "Data is relevant, representative and as free of errors as can be",
    guidance:
      "Compare the make-up of each set with the people the system meets. Attach the comparison with the error rates that were found.",
  },
  {
    id: "10(4)",
    title: "Data fits the place, setting and conduct in which the system is used",
    guidance:
      "Describe the countries, languages and situations of use in the asset. Attach the check that the data covers them.",
  },
  {
    id: "10(5)",
    title: "Sensitive data serves the correction of bias only under strict conditions",
    guidance:
      "Set the data classification `restricted` on such assets. Attach why other data would not do, who has access, and when the data was deleted.",
    note: "The amendment of July 2026 widened this ground to all AI systems; its wording was not at hand.",
  },
  {
    id: "10(6)",
    title: "Systems without training apply the same care to their test data",
    guidance:
      "Attach the data sheets of the test sets of assets that only call models of others, or declare that all are trained here.",
  },
  {
    id: "11(1)",
    title: "Technical documentation is drawn up before market and kept up to date",
    policyRules: ["model-card-and-eval"],
    automation:
      "A card and an evaluation are parts of the technical documentation, and passes show that each model has them. They do not show the rest of Annex IV, nor that it is current.",
    guidance:
      "Give every model a card and the results of an evaluation, which the rule checks. Attach the documentation after Annex IV with its edition.",
  },
  {
    id: "11(2)",
    title: "Products under other law have one single set of documentation",
    guidance:
      "Attach the table of contents that shows Annex IV within the product file, or declare that no such product exists.",
  },
  {
    id: "12(1)",
    title: "The system records events by itself over its lifetime",
    weight: 2,
    guidance:
      "Run its agents in sessions here, so that starts, decisions and stops are kept. Attach the export of events of a typical day.",
  },
  {
    id: "12(2)",
    title: "Events let risks, changes and operation be traced",
    guidance:
      "Ask for a decision before each consequential call, so that it stands in the activity. Attach one incident followed through its events.",
  },
  {
    id: "12(3)",
    title: "Logs of remote biometric identification hold times, data and verifiers",
    guidance:
      "Log start, end, reference database, matching input and the people who verified it. Attach a sample entry, or declare that there is no such system.",
  },
  {
    id: "13(1)",
    title: "Operation is transparent enough for deployers to interpret the output",
    guidance: "Have a deployer who did not build the system explain ten outputs. Attach the result of that trial.",
  },
  {
    id: "13(2)",
    title: "Concise, complete and clear instructions come with the system",
    guidance:
      "Link the instructions from the record of the asset. Attach the edition that belongs to the version in production.",
  },
  {
    id: "13(3)",
    title: "Instructions state purpose, accuracy, risks, oversight, resources and logs",
    guidance:
      "Hold the instructions against each point of the paragraph. Attach the checklist with the page of each point.",
  },
  {
    id: "14(1)",
    title: "People can oversee the system effectively while it is in use",
    weight: 2,
    guidance:
      "Give each agent an owner who sees its sessions and can suspend them. Attach the description of the place from which they do so.",
  },
  {
    id: "14(2)",
    title: "Oversight prevents or lessens risks to health, safety and rights",
    guidance:
      "Name for each risk of the risk assessment who would notice it and how. Attach that column of the register.",
  },
  {
    id: "14(3)",
    title: "Oversight is built in, or told to the deployer to put in place",
    guidance:
      "Set session limits and approvals of tools in the asset, and list in the instructions what the deployer adds. Attach both lists.",
  },
  {
    id: "14(4)",
    title: "Overseers understand limits, resist reliance, and can override and stop",
    weight: 2,
    policyRules: ["destructive-tools-gated"],
    automation:
      "Consent before a destructive tool is a means to override, and passes show that it is asked for, which decisions enforce. They do not show that overseers understand limits.",
    guidance:
      "Have every tool that destroys ask for consent before each call, which the rule checks. Attach the record of an exercise in which somebody stopped the system.",
  },
  {
    id: "14(5)",
    title: "Biometric identifications are confirmed by two people",
    guidance:
      "Have two people confirm before anything follows from a match. Attach a sample with both names, or declare that there is no such system.",
  },
  {
    id: "15(1)",
    title: "Accuracy, robustness and security are fit and stay so",
    weight: 2,
    guidance:
      "Repeat the evaluations of each model in production at set times. Attach the series of results over the last year.",
  },
  {
    id: "15(3)",
    title: "Levels and metrics of accuracy stand in the instructions",
    guidance:
      "Copy metric, value and test set from the evaluation into the instructions. Attach the page that holds them.",
  },
  {
    id: "15(4)",
    title: "The system withstands errors, faults and feedback of its own output",
    guidance:
      "Test with broken input, lost services and its own output as input. Attach the results and the fallback that took over.",
  },
  {
    id: "15(5)",
    title: "The system withstands attacks, such as poisoned data and adversarial input",
    weight: 2,
    guidance:
      "Test against injection, poisoning, extraction and evasion before each release. Attach the report of the test and the mended findings.",
  },
]);
