import { controlsOf } from "../control.js";

/** Clauses 4 to 10: what the management system itself has to do. They bind whoever claims conformity with the standard. */
export const CLAUSES = controlsOf("ISO/IEC 42001:2023, clause ", [
  {
    id: "4.1",
    title: "Issues inside and outside the organisation that bear on its aims with AI are known",
    guidance:
      "Write one page on laws, market, culture and the roles you take towards AI. Attach it with the date of its review.",
  },
  {
    id: "4.2",
    title: "Interested parties and what they require are known",
    guidance: "List customers, users, staff, regulators and affected people with what each expects. Attach the list.",
  },
  {
    id: "4.3",
    title: "The scope of the management system is set and written down",
    weight: 2,
    guidance:
      "State which units, places and assets are inside, and put the same words into the profile of this framework. Attach the scope.",
  },
  {
    id: "4.4",
    title: "The management system is established, maintained and improved",
    guidance:
      "Draw how policy, risk, operation, audit and review feed one another. Attach the map with the owner of each process.",
  },
  {
    id: "5.1",
    title: "Top management leads, with means, aims and support",
    guidance: "Put AI on the agenda of management with budget and targets. Attach the minutes of the last two times.",
  },
  {
    id: "5.2",
    title: "Top management sets a policy on AI that commits to requirements and improvement",
    weight: 2,
    guidance: "Have the policy signed, published and told to staff. Attach the signed edition.",
  },
  {
    id: "5.3",
    title: "Roles, responsibilities and authorities are assigned and told",
    guidance:
      "Name who keeps the system in order and who reports on it. Attach the chart with the matching roles in Reeve.",
  },
  {
    id: "6.1.1",
    title: "Risks and opportunities of the management system are determined and acted on",
    weight: 2,
    guidance:
      "Keep criteria that tell acceptable from unacceptable risk. Attach criteria, actions and how their effect is judged.",
  },
  {
    id: "6.1.2",
    title: "A process for assessing AI risk gives consistent and comparable results",
    weight: 2,
    guidance:
      "Assess the risk of all assets by the same questions and one scale. Attach the process and two results to compare.",
  },
  {
    id: "6.1.3",
    title: "A process treats AI risk, and a statement of applicability justifies each control",
    weight: 2,
    guidance:
      "Give every control of Annex A a rationale here, and declare those left out with a second person. The statement in the report is the evidence.",
  },
  {
    id: "6.1.4",
    title: "A process assesses what AI systems do to people and society",
    weight: 2,
    guidance:
      "Define who assesses impact, when and by which questions. Attach the process and an assessment that followed it.",
  },
  {
    id: "6.2",
    title: "Aims for AI are set, measured and planned for",
    guidance:
      "Set targets such as coverage here, age of approvals or open findings. Attach targets, owners and figures.",
  },
  {
    id: "6.3",
    title: "Changes of the management system are planned",
    guidance:
      "Record each change with purpose, effects, means and who is responsible. Attach the record of the last change.",
  },
  {
    id: "7.1",
    title: "The means that the management system needs are provided",
    guidance: "Attach the budget and staffing of AI governance with the decision that granted them.",
  },
  {
    id: "7.2",
    title: "People whose work bears on AI are competent",
    guidance:
      "Describe the competence each role needs and close gaps by training. Attach certificates or test results.",
  },
  {
    id: "7.3",
    title: "People know the policy, their part, and what follows from breaking the rules",
    guidance: "Tell it at the start of work and once a year. Attach the acknowledgements of staff.",
  },
  {
    id: "7.4",
    title: "What is communicated about AI, when, to whom and how is settled",
    guidance: "Write a plan for messages inside and outside, incidents among them. Attach the plan with an example.",
  },
  {
    id: "7.5.1",
    title: "The documents that the standard and the organisation need exist",
    guidance: "Keep a list of documents with owner and place. Attach the list and mark what the standard demands.",
  },
  {
    id: "7.5.2",
    title: "Documents are identified, reviewed and approved when made or changed",
    guidance: "Give each document title, date, author and approver. Attach three of them as a sample.",
  },
  {
    id: "7.5.3",
    title: "Documents are available, protected, kept and disposed of under control",
    guidance:
      "Attach digests with every piece of evidence so that changes show. Attach the rules for access, retention and disposal.",
  },
  {
    id: "8.1",
    title: "Processes run as planned, changes are controlled, and outsourced ones too",
    weight: 2,
    guidance:
      "Run lifecycle and reviews of all assets here, with gates in force. Attach the list of gating policies and their last runs.",
  },
  {
    id: "8.2",
    title: "AI risk is assessed at set times and at changes",
    weight: 2,
    guidance:
      "Set an end on each risk assessment so that it comes due. Attach the list of approved ones with their ends.",
  },
  {
    id: "8.3",
    title: "The plan for treating AI risk is carried out and verified",
    guidance:
      "Track each measure of the plan to its end, and revise where it did not work. Attach the plan with states.",
  },
  {
    id: "8.4",
    title: "Impact of AI systems is assessed at set times and at changes",
    weight: 2,
    guidance:
      "Write an impact assessment for each asset of high risk before production and at each change. Attach the list and its approvals.",
  },
  {
    id: "9.1",
    title: "What is measured, how, when and by whom is settled, and results are evaluated",
    weight: 2,
    guidance:
      "Watch score, coverage and findings month by month. Attach the trend with the conclusions that were drawn.",
  },
  {
    id: "9.2.1",
    title: "Internal audits are held at planned intervals",
    guidance:
      "Audit the management system each year against the standard and your own rules. Attach the last audit report.",
  },
  {
    id: "9.2.2",
    title: "An audit programme sets frequency, methods, criteria and impartial auditors",
    guidance:
      "Plan audits by risk and by earlier results, with auditors from elsewhere. Attach the programme of the year.",
  },
  {
    id: "9.3.1",
    title: "Top management reviews the management system at planned intervals",
    guidance: "Hold the review at least yearly. Attach the invitation and the list of who took part.",
  },
  {
    id: "9.3.2",
    title: "The review looks at changes, results, audits, nonconformities and chances",
    guidance: "Give management the compliance report of the day with its digest. Attach the papers of the review.",
  },
  {
    id: "9.3.3",
    title: "The review decides on improvement and changes",
    guidance: "Write each decision with owner and date. Attach the minutes and the state of the earlier decisions.",
  },
  {
    id: "10.1",
    title: "The management system is improved continually",
    guidance:
      "Collect ideas from audits, incidents and staff and choose among them. Attach what was improved in the year.",
  },
  {
    id: "10.2",
    title: "Nonconformities are corrected, their causes removed, and effects reviewed",
    weight: 2,
    guidance:
      "Treat findings to their resolution, with the cause in the comment. Attach cause and review of the gravest ones.",
  },
]);
