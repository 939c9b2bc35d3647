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
      "Approve what each tool says of itself, and have tools that destroy ask for consent. Two rules check it. Attach tests in which an agent is led to misuse a tool.",
    weight: 2,
    policyRules: ["destructive-tools-gated", "tool-approved"],
    automation:
      "Passes show that what each tool says of itself was approved, and that tools marked as destructive ask for consent, which decisions enforce. They do not show that an approved tool is used only as meant.",
  },
  {
    id: "ASI03",
    title: "Identities and privileges are not abused",
    guidance:
      "Give each agent an identity of its own, rotate credentials, approve privileges. Three rules check it. Attach the review of what each identity may do outside.",
    weight: 2,
    policyRules: ["identity-not-shared", "credential-age", "privileged-needs-approval"],
    automation:
      "Passes show that agents do not share identities, that known credentials are young and that privileges were approved. They do not show what an identity may do in systems that are not connected.",
  },
  {
    id: "ASI04",
    title: "The supply chain of agents is under control",
    guidance:
      "Look at what has drifted, and approve or block it; use https with sign-in. Two rules check it. Attach the list of models, packages and prompts with where they are from.",
    weight: 2,
    policyRules: ["https-and-auth", "pins-in-sync"],
    automation:
      "Passes show that servers offer what was approved at their last scan, over channels that cannot be changed on the way. They do not show where models, packages and prompts come from.",
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
    automation:
      "Agents reach one another through servers, and passes show that each is reached by https with sign-in. They do not show that agents check each other's messages.",
  },
  {
    id: "ASI08",
    title: "One failure does not cascade",
    guidance:
      "Set limits for the sessions of every agent in production, which the rule checks. Attach an exercise in which one agent failed.",
    policyRules: ["session-limits"],
    automation:
      "A session with limits ends before its failure spreads, and passes show that every agent in production has them. They do not show what depends on an agent that stops.",
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
    automation:
      "Passes show that what discovery has seen is registered in time, so that it is seen by somebody. They do not show how a registered agent behaves.",
  },
]).map((control) => ({ ...control, applicability: WHERE_AGENTS }));

/** The ten gravest risks of agentic applications, each worded as an objective. */
export const OWASP_AGENTIC: BuiltinFramework = {
  key: "owasp-agentic-2026",
  version: 2,
  name: "OWASP Top 10 for Agentic Applications",
  publisher: "OWASP GenAI Security Project",
  edition: "2026",
  sourceUrl: "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/",
  source: "OWASP Top 10 for Agentic Applications 2026, published in December 2025. Titles and guidance are ours.",
  checkedOn: CHECKED_ON,
  terms: "The list is published by OWASP under CC BY-SA 4.0; numbers are its, wording is ours.",
  controls: RISKS,
};
