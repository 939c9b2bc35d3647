import { controlsOf } from "../control.js";

/** Annex A: controls that an organisation takes up, or leaves out with a justification. */
export const ANNEX_A = controlsOf(
  "ISO/IEC 42001:2023, Annex A, ",
  [
    {
      id: "A.2.2",
      title: "A policy on AI is written",
      guidance: "Write what AI is used for, what it is not, and who decides. Attach the policy as it was approved.",
    },
    {
      id: "A.2.3",
      title: "It agrees with the other policies of the organisation",
      guidance:
        "Compare it with security, privacy, quality and conduct rules. Attach the comparison and what was changed.",
    },
    {
      id: "A.2.4",
      title: "It is looked at again at set times",
      guidance:
        "Set `nextReviewAt` on this assessment to the day the policy comes due. Attach the note of the last review.",
    },
    {
      id: "A.3.2",
      title: "Who is responsible for what is assigned",
      kind: "hybrid",
      weight: 2,
      policyRules: ["owner-required", "sponsor-required"],
      automation:
        "Passes show that a responsible person is named for each asset, which is the assignment itself. They do not show that roles without an asset are assigned.",
      guidance:
        "Name an owner and a sponsor of every asset, which rules check. Attach what each of these roles has to do.",
    },
    {
      id: "A.3.3",
      title: "Staff have a way to raise concerns",
      guidance:
        "Open a channel that protects who uses it and tells what became of a concern. Attach its address and figures.",
    },
    {
      id: "A.4.2",
      title: "What each system needs is recorded through its life",
      guidance:
        "Relate each agent to its models, tools, servers and identities here. Attach the impact view of your gravest system.",
    },
    {
      id: "A.4.3",
      title: "The data in use is recorded",
      guidance:
        "Register data sets as assets with classification and owner. Attach the list with the systems that use each.",
    },
    {
      id: "A.4.4",
      title: "The tools in use are recorded",
      guidance: "Import tools from their servers so that none is used unseen. Attach the export of the tool inventory.",
    },
    {
      id: "A.4.5",
      title: "Hardware and computing are recorded",
      guidance: "Note in labels where each model runs and on what. Attach the capacity and location plan.",
    },
    {
      id: "A.4.6",
      title: "People and their skills are recorded",
      guidance: "List who develops, runs and oversees each system with their skills. Attach the matrix with its gaps.",
    },
    {
      id: "A.5.2",
      title: "There is a process for assessing what a system does to people and society",
      weight: 2,
      policyRules: ["high-risk-impact-assessment"],
      automation:
        "Passes show that the process was gone through for each asset of high risk, with the approval of a second person. They do not show the process where the risk is lower, nor that answers are right.",
      guidance:
        "Assess the impact of every asset of high risk; the rule checks only that the asset says so. Attach the description of the process.",
    },
    {
      id: "A.5.3",
      title: "Results of these assessments are written down and kept",
      guidance:
        "Attach each approved assessment as a document with its digest. Attach the rule on how long they are kept.",
    },
    {
      id: "A.5.4",
      title: "Impact on single people and groups is assessed",
      guidance:
        "Assess fairness, safety, privacy and access for each asset and attach what was found. Attach interviews with those concerned.",
    },
    {
      id: "A.5.5",
      title: "Impact on society is assessed",
      guidance:
        "Assess the effects on environment, economy, democracy and culture. Attach what was found with its sources.",
    },
    {
      id: "A.6.1.2",
      title: "Aims of responsible development are set",
      guidance:
        "Name the properties each system must have, such as fairness or safety, and how they are measured. Attach the aims.",
    },
    {
      id: "A.6.1.3",
      title: "Processes of responsible design and development are defined",
      guidance: "Define stages, reviews and who releases each stage. Attach the process and one system led through it.",
    },
    {
      id: "A.6.2.2",
      title: "Requirements are specified",
      guidance:
        "Specify purpose, users, limits and thresholds before design. Attach the specification with its approval.",
    },
    {
      id: "A.6.2.3",
      title: "Design and development are written down",
      guidance:
        "Record architecture, choices of models and rejected ways. Attach the design document of each own system.",
    },
    {
      id: "A.6.2.4",
      title: "Systems are verified and validated",
      guidance:
        "Attach the test plan with criteria and the results, to the model as evaluations and here by reference.",
    },
    {
      id: "A.6.2.5",
      title: "Deployment follows a plan with conditions",
      guidance: "Approve promotions with conditions and due dates. Attach the plan with the conditions that were met.",
    },
    {
      id: "A.6.2.6",
      title: "Systems in operation are monitored, repaired and updated",
      weight: 2,
      guidance:
        "Watch sessions, health and findings, and treat them within their days. Attach the monitoring plan and its last alarm.",
    },
    {
      id: "A.6.2.7",
      title: "Technical documentation is there for each audience",
      guidance: "Provide papers for users, operators and authorities. Attach the index with the audience of each.",
    },
    {
      id: "A.6.2.8",
      title: "Events are logged where that is needed",
      weight: 2,
      guidance:
        "Decide at which stages a system logs and let its agents run in sessions. Attach the decision and a verified stretch of the chain.",
    },
    {
      id: "A.7.2",
      title: "Data for development is managed",
      guidance:
        "Define how sets are versioned, protected and released to developers. Attach the procedure and a set's history.",
    },
    {
      id: "A.7.3",
      title: "How data is acquired is settled",
      guidance:
        "Record sources, rights, subjects and conditions of each set before use. Attach the records of the latest sets.",
    },
    {
      id: "A.7.4",
      title: "Quality of data is defined and met",
      guidance: "Set limits for errors, gaps and bias per set. Attach measured values next to the limits.",
    },
    {
      id: "A.7.5",
      title: "Where data comes from is recorded",
      guidance: "Trace each set from source through every change. Attach the lineage of one set in production.",
    },
    {
      id: "A.7.6",
      title: "Ways of preparing data are chosen and recorded",
      guidance:
        "Justify cleaning, labelling, scaling and encoding. Attach the scripts' versions with the criteria of choice.",
    },
    {
      id: "A.8.2",
      title: "Users get the documentation they need",
      guidance: "Tell users purpose, limits, contact and that they meet AI. Attach the user page of each system.",
    },
    {
      id: "A.8.3",
      title: "Others can report what goes wrong",
      guidance: "Offer a form for people outside and answer within set days. Attach the form and the log of reports.",
    },
    {
      id: "A.8.4",
      title: "Incidents are told to users by a plan",
      guidance: "Write who tells which users what and how fast. Attach the plan with the last message.",
    },
    {
      id: "A.8.5",
      title: "What must be told to interested parties is determined",
      guidance:
        "List duties to report to regulators, customers and partners. Attach the list with the owner of each duty.",
    },
    {
      id: "A.9.2",
      title: "Processes of responsible use are defined",
      guidance:
        "Define how a use is requested, approved and ended, also for AI of others. Attach the process and two requests.",
    },
    {
      id: "A.9.3",
      title: "Aims of responsible use are set",
      guidance:
        "Say what good use means, such as human oversight or fairness, with figures. Attach aims and last figures.",
    },
    {
      id: "A.9.4",
      title: "Systems are used as they are meant to be",
      guidance:
        "Limit sessions and tools of agents to their purpose. Attach a review of refused decisions against the documented use.",
    },
    {
      id: "A.10.2",
      title: "Responsibilities are shared out among partners, suppliers and customers",
      guidance:
        "Draw who answers for model, data, operation and harm in each supply chain. Attach the matrix of each contract.",
    },
    {
      id: "A.10.3",
      title: "Suppliers fit the way the organisation treats AI",
      guidance:
        "Assess suppliers of models and servers before approval and yearly. Attach the assessments and open demands.",
    },
    {
      id: "A.10.4",
      title: "What customers expect and need is considered",
      guidance:
        "Collect customers' requirements on AI from contracts and talks. Attach how each found its way into design or use.",
    },
  ],
  { selectable: true },
);
