import { CHECKED_ON, controlsOf } from "./control.js";
import type { BuiltinFramework } from "./schema.js";

const WHERE_AGENTS =
  "estate.assetType.agent > 0 || estate.assetType.mcp_server > 0 || estate.assetType.tool > 0 || estate.assetType.identity > 0";

const RISKS = controlsOf("OWASP Top 10 for Agentic Applications 2026, ", [
  {
    id: "ASI01",
    title: "Goals of agents are not hijacked",
    weight: 2,
  },
  {
    id: "ASI02",
    title: "Tools are not misused",
    kind: "automated",
    weight: 2,
    policyRules: ["destructive-tools-gated", "tool-approved"],
    remediation: "Approve what each tool says of itself, and have tools that destroy ask for consent.",
  },
  {
    id: "ASI03",
    title: "Identities and privileges are not abused",
    kind: "automated",
    weight: 2,
    policyRules: ["identity-not-shared", "credential-age", "privileged-needs-approval"],
    remediation: "Give each agent an identity of its own, rotate credentials, approve privileges.",
  },
  {
    id: "ASI04",
    title: "The supply chain of agents is under control",
    kind: "automated",
    weight: 2,
    policyRules: ["https-and-auth", "pins-in-sync"],
    remediation: "Look at what has drifted, and approve or block it; use https with sign-in.",
  },
  { id: "ASI05", title: "No code is run that was not meant to be", weight: 2 },
  { id: "ASI06", title: "Memory and context are not poisoned" },
  {
    id: "ASI07",
    title: "Agents talk to one another over secured channels",
    policyRules: ["https-and-auth"],
    remediation: "Use https with sign-in.",
  },
  {
    id: "ASI08",
    title: "One failure does not cascade",
    policyRules: ["session-limits"],
    remediation: "Set limits for the sessions of every agent in production.",
  },
  { id: "ASI09", title: "People's trust in agents is not exploited" },
  {
    id: "ASI10",
    title: "No agent goes its own way unseen",
    policyRules: ["no-shadow"],
    remediation: "Register what discovery has seen, with an owner, or retire it.",
  },
]).map((control) => ({ ...control, applicability: WHERE_AGENTS }));

/** The ten gravest risks of agentic applications, each worded as an objective. */
export const OWASP_AGENTIC: BuiltinFramework = {
  key: "owasp-agentic-2026",
  version: 1,
  name: "OWASP Top 10 for Agentic Applications",
  publisher: "OWASP GenAI Security Project",
  edition: "2026",
  sourceUrl: "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/",
  source: "OWASP Top 10 for Agentic Applications 2026, published in December 2025. Titles are ours.",
  checkedOn: CHECKED_ON,
  terms: "The list is published by OWASP under CC BY-SA 4.0; numbers are its, wording is ours.",
  controls: RISKS,
};
