import { controlsOf } from "../control.js";

export const NIST_DOCUMENT = "NIST AI 100-1 (January 2023), AI RMF Core";

/** The function on which the other three build: how an organisation governs its AI. */
export const GOVERN = controlsOf(`${NIST_DOCUMENT}, `, [
  {
    id: "GOVERN 1.1",
    title: "Legal and regulatory requirements on AI are known, managed and written down",
    guidance:
      "Keep a register of the laws on AI that bind you, with who watches each. Attach the register and the date of its last check.",
    weight: 2,
  },
  {
    id: "GOVERN 1.2",
    title: "What makes AI trustworthy is part of policies, processes and practice",
    guidance:
      "Write safety, fairness, privacy and transparency into the rules for building and buying AI. Attach the rule and a project that followed it.",
  },
  {
    id: "GOVERN 1.3",
    title: "How much risk management is needed follows from how much risk is tolerated",
    guidance:
      "Set by risk tier how deep review, tests and approval go. Attach the table and the decision on how much risk is tolerated.",
  },
  {
    id: "GOVERN 1.4",
    title: "Risk is managed by processes that are set, transparent and follow the priorities of risk",
    guidance:
      "Have everything that runs in production reviewed and approved, which the rule checks. Attach the procedure that reviewers follow.",
    weight: 2,
    policyRules: ["prod-needs-approval"],
    automation:
      "An approval is the decision of a second person about what runs in production, so passes show that the process is followed. They do not show that its depth follows the priorities of risk.",
  },
  {
    id: "GOVERN 1.5",
    title: "Risk management is monitored and reviewed at set intervals, by people who are named",
    guidance:
      "Approve for a limited time, so that reviews come due; the rule finds approvals that ran out. Attach the calendar of reviews.",
    policyRules: ["approval-current"],
    automation:
      "Approvals with an end bring reviews back at set intervals, and passes show that none was let run out. They do not show that every approval has an end.",
  },
  {
    id: "GOVERN 1.6",
    title: "There is an inventory of AI systems, resourced by the priorities of risk",
    guidance:
      "Register what discovery has seen, with an owner, or retire it. The rule finds what stays unregistered past its days of grace. Attach where discovery looks, and where it does not.",
    weight: 2,
    policyRules: ["no-shadow"],
    automation:
      "This registry is the inventory, and passes show that nothing discovery has seen is missing from it past its days of grace. They do not speak of places where no discovery looks.",
  },
  {
    id: "GOVERN 1.7",
    title: "AI systems are taken out of service safely and without raising risk elsewhere",
    guidance:
      "Retire what is in production and no longer used, after looking at its impact. Attach the checklist for data, access and successors.",
    policyRules: ["not-dormant"],
    automation:
      "What is in production without being seen in use has escaped its retirement, and passes show that there is none. They do not show that what was retired went safely.",
  },
  {
    id: "GOVERN 2.1",
    title: "Roles, responsibilities and lines of communication about AI risk are clear to all",
    guidance:
      "Name an owner and a sponsor of every asset, which rules check. Attach the description of what each of them decides.",
    kind: "hybrid",
    weight: 2,
    policyRules: ["owner-required", "sponsor-required"],
    automation:
      "Responsibility begins with a name, and passes show that each asset has an owner and a sponsor. They do not show that these people know it, nor how they talk to one another.",
  },
  {
    id: "GOVERN 2.2",
    title: "Staff and partners are trained in managing AI risk for what they do",
    guidance:
      "Train developers, operators, approvers and partners for their part. Attach who took which course and when it ends.",
  },
  {
    id: "GOVERN 2.3",
    title: "Executives answer for decisions about the risks of AI",
    guidance:
      "Let executives sponsor the assets of highest risk and see the report each quarter. Attach minutes of their decisions.",
  },
  {
    id: "GOVERN 3.1",
    title: "Decisions on AI risk are informed by people of different kinds and disciplines",
    guidance:
      "Invite people of different disciplines and backgrounds to reviews of high risk. Attach who took part in the last three.",
  },
  {
    id: "GOVERN 3.2",
    title: "Who does what between people and AI, and who oversees it, is defined",
    guidance:
      "Describe for each kind of agent what it does alone and what a person confirms. Attach the description and the matching policies.",
    weight: 2,
  },
  {
    id: "GOVERN 4.1",
    title: "Design, development and use of AI put critical thinking and safety first",
    guidance:
      "Ask for the strongest argument against each launch and write it down. Attach two such arguments with what became of them.",
  },
  {
    id: "GOVERN 4.2",
    title: "Teams write down and tell the risks and possible impacts of what they build",
    guidance:
      "Have teams file risk assessments of what they build before review. Attach the channel by which these reach others.",
  },
  {
    id: "GOVERN 4.3",
    title: "Testing, finding incidents and sharing what was learned are everyday practice",
    guidance:
      "Hold exercises, test what is live and share lessons from incidents. Attach the calendar and the last lesson.",
  },
  {
    id: "GOVERN 5.1",
    title: "Feedback from outside the team is collected, weighed and acted upon",
    guidance:
      "Collect feedback of users and affected people and give each item an owner. Attach the collection with decisions.",
  },
  {
    id: "GOVERN 5.2",
    title: "Feedback that was adjudicated finds its way into design and implementation",
    guidance:
      "Turn accepted feedback into changes with a version. Attach three changes with the feedback they go back to.",
  },
  {
    id: "GOVERN 6.1",
    title: "Risks from third parties, infringed rights among them, are addressed by policy",
    guidance:
      "Check suppliers for rights in data, models and code before approval. Attach the policy and the last check.",
  },
  {
    id: "GOVERN 6.2",
    title: "There are plans for failures and incidents of third-party data and AI",
    guidance: "Plan what replaces a model or server of others that fails, and try it. Attach plan and trial.",
  },
]);
