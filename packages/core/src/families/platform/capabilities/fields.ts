/** A licensed part of the service. */
export const CAPABILITIES = {
  identity_foundation: "Identity Foundation: users, AI identities, SAML",
  ai_registry: "AI registry and activity",
  ai_governance: "Policies, evaluations, findings, exemptions",
  access_governance: "Access requests, assignments, drift, certifications",
  connectors: "Connectors and integrations",
  compliance: "Frameworks and posture",
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** Limits on counts, each with its capability. A collection enforces each. */
export const LIMITS = {
  assets: { capability: "ai_registry", description: "AI assets in the registry" },
  users: { capability: "identity_foundation", description: "Users, whatever their status" },
} as const satisfies Record<string, { readonly capability: Capability; readonly description: string }>;

export type LimitKey = keyof typeof LIMITS;
