import { controlsOf } from "./control.js";

export const NIST_DOCUMENT = "NIST AI 100-1 (January 2023), AI RMF Core";

/** The function on which the other three build: how an organisation governs its AI. */
export const GOVERN = controlsOf(`${NIST_DOCUMENT}, `, [
  { id: "GOVERN 1.1", title: "Legal and regulatory requirements on AI are known, managed and written down", weight: 2 },
  { id: "GOVERN 1.2", title: "What makes AI trustworthy is part of policies, processes and practice" },
  { id: "GOVERN 1.3", title: "How much risk management is needed follows from how much risk is tolerated" },
  {
    id: "GOVERN 1.4",
    title: "Risk is managed by processes that are set, transparent and follow the priorities of risk",
    weight: 2,
    policyRules: ["prod-needs-approval"],
    remediation: "Have everything that runs in production reviewed and approved.",
  },
  {
    id: "GOVERN 1.5",
    title: "Risk management is monitored and reviewed at set intervals, by people who are named",
    policyRules: ["approval-current"],
    remediation: "Have what was approved for a time reviewed again before that time has passed.",
  },
  {
    id: "GOVERN 1.6",
    title: "There is an inventory of AI systems, resourced by the priorities of risk",
    kind: "automated",
    weight: 2,
    policyRules: ["no-shadow"],
    remediation: "Register what discovery has seen, with an owner, or retire it.",
  },
  {
    id: "GOVERN 1.7",
    title: "AI systems are taken out of service safely and without raising risk elsewhere",
    policyRules: ["not-dormant"],
    remediation: "Retire what is in production and no longer used.",
  },
  {
    id: "GOVERN 2.1",
    title: "Roles, responsibilities and lines of communication about AI risk are clear to all",
    kind: "automated",
    weight: 2,
    policyRules: ["owner-required", "sponsor-required"],
    remediation: "Name an owner and a sponsor of every asset.",
  },
  { id: "GOVERN 2.2", title: "Staff and partners are trained in managing AI risk for what they do" },
  { id: "GOVERN 2.3", title: "Executives answer for decisions about the risks of AI" },
  { id: "GOVERN 3.1", title: "Decisions on AI risk are informed by people of different kinds and disciplines" },
  { id: "GOVERN 3.2", title: "Who does what between people and AI, and who oversees it, is defined", weight: 2 },
  { id: "GOVERN 4.1", title: "Design, development and use of AI put critical thinking and safety first" },
  { id: "GOVERN 4.2", title: "Teams write down and tell the risks and possible impacts of what they build" },
  { id: "GOVERN 4.3", title: "Testing, finding incidents and sharing what was learned are everyday practice" },
  { id: "GOVERN 5.1", title: "Feedback from outside the team is collected, weighed and acted upon" },
  { id: "GOVERN 5.2", title: "Feedback that was adjudicated finds its way into design and implementation" },
  { id: "GOVERN 6.1", title: "Risks from third parties, infringed rights among them, are addressed by policy" },
  { id: "GOVERN 6.2", title: "There are plans for failures and incidents of third-party data and AI" },
]);
