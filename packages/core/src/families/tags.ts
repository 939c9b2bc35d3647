/** The published groups of operations, and what each is about. */
export const TAG_DESCRIPTIONS = {
  Authentication: "Signing in, tokens, passwords.",
  Registration: "New tenants and the proof of addresses.",
  System: "Whether the service can do its work.",
  "Tenant Domain": "The tenant's own domain and address.",
  Platform: "What the platform offers to its tenants.",
  "Provider Support": "What the provider does for and to tenants.",
  Users: "The people of a tenant and their roles.",
  "AI Overview": "The estate at a glance.",
  Reviews: "What waits for a person's decision, and who one is.",
  "AI Registry": "The governed AI assets: inventory, lifecycle, governance state.",
  "AI Governance": "Policies, evaluations, findings, exemptions.",
  "AI Agents": "Agents as technical records.",
  "AI Tools": "Tools that agents call.",
  "AI Identities": "Identities that agents act under.",
  "AI Models": "Models and their versions.",
  "MCP Registry": "Servers of the Model Context Protocol.",
  "AI Sessions": "Running sessions of agents.",
  "AI Policies": "Policies judged at run time.",
  "AI Enforcement": "Where decisions are felt: installations of clients, and what they ask.",
  "AI Compliance": "Frameworks, controls, posture.",
  "AI Activity": "The tamper-evident stream of what has happened.",
  Notices: "How other systems and people hear of what happens.",
  "AI Access Governance": "Requests for access, assignments, certifications.",
  "Connector Catalog": "Kinds of systems that can be connected.",
  "Connector Instances": "Connections to systems.",
  "Integrations Workspace": "Work with connected systems.",
  "Legacy Catalog": "The older catalogue; deprecated.",
  "SAML Applications": "Applications that sign in by SAML.",
  Applications: "Applications of the tenant.",
  "Runtime SSO": "Sign-on to applications as it happens.",
  Slo: "Single logout of SAML applications.",
  Reference: "The interface description itself.",
} as const;

export type Tag = keyof typeof TAG_DESCRIPTIONS;

/** The published groups of operations, in their order. */
export const TAGS = Object.keys(TAG_DESCRIPTIONS) as Tag[];
