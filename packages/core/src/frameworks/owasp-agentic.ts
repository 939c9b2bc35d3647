import { CHECKED_ON, controlsOf } from "./control.js";
import type { BuiltinFramework } from "./schema.js";

const WHERE_AGENTS =
  "estate.assetType.agent > 0 || estate.assetType.mcp_server > 0 || estate.assetType.tool > 0 || estate.assetType.identity > 0";

const RISKS = controlsOf("OWASP Top 10 for Agentic Applications 2026, ", [
  {
    id: "ASI01",
    title: "Goals of agents are not hijacked",
    guidance:
      "Separate instructions from data, filter what tools return, and confirm changes of goal. Attach injection tests of each agent in production.",
    weight: 2,
  },
  {
    id: "ASI02",
    title: "Tools are not misused",
    guidance:
      "Approve what each tool says of itself, and have tools that destroy ask for consent. Both rules read the estate at each run.",
    kind: "automated",
    weight: 2,
    policyRules: ["destructive-tools-gated", "tool-approved"],
  },
  {
    id: "ASI03",
    title: "Identities and privileges are not abused",
    guidance:
      "Give each agent an identity of its own, rotate credentials, approve privileges. Three rules check it for every identity and agent.",
    kind: "automated",
    weight: 2,
    policyRules: ["identity-not-shared", "credential-age", "privileged-needs-approval"],
  },
  {
    id: "ASI04",
    title: "The supply chain of agents is under control",
    guidance:
      "Look at what has drifted, and approve or block it; use https with sign-in. The rules compare servers with what was approved.",
    kind: "automated",
    weight: 2,
    policyRules: ["https-and-auth", "pins-in-sync"],
  },
  {
    id: "ASI05",
    title: "No code is run that was not meant to be",
    guidance:
      "Run generated code in a sandbox without network or secrets. Attach the sandbox settings and an attempt to escape it.",
    weight: 2,
  },
  {
    id: "ASI06",
    title: "Memory and context are not poisoned",
    guidance:
      "Check what enters long-term memory and let entries expire. Attach the rule for writes and a test with poisoned entries.",
  },
  {
    id: "ASI07",
    title: "Agents talk to one another over secured channels",
    guidance:
      "Reach servers by https with sign-in, which the rule checks. Attach how agents authenticate each other's messages.",
    policyRules: ["https-and-auth"],
  },
  {
    id: "ASI08",
    title: "One failure does not cascade",
    guidance:
      "Set limits for the sessions of every agent in production, which the rule checks. Attach an exercise in which one agent failed.",
    policyRules: ["session-limits"],
  },
  {
    id: "ASI09",
    title: "People's trust in agents is not exploited",
    guidance:
      "Show people sources, doubts and what an agent will do before they consent. Attach screens and a test with users.",
  },
  {
    id: "ASI10",
    title: "No agent goes its own way unseen",
    guidance:
      "Register what discovery has seen, with an owner, or retire it, which the rule checks. Attach how unusual behaviour is noticed.",
    policyRules: ["no-shadow"],
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
  source: "OWASP Top 10 for Agentic Applications 2026, published in December 2025. Titles and guidance are ours.",
  checkedOn: CHECKED_ON,
  terms: "The list is published by OWASP under CC BY-SA 4.0; numbers are its, wording is ours.",
  controls: RISKS,
};
