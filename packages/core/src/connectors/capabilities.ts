/** What a connector can do, the method that does it, and the meaning for people. */
export const CAPABILITIES = {
  test: { method: "testConnection", meaning: "Says whether the connection works, and what it may be used for." },
  discover: { method: "discoverAssets", meaning: "Finds AI assets." },
  resources: { method: "listResources", meaning: "Lists what access can be granted to." },
  profiles: { method: "listAccessProfiles", meaning: "Lists the kinds of access to a resource." },
  observe: { method: "listGrants", meaning: "Lists who has access now." },
  grant: { method: "grant", meaning: "Grants access." },
  revoke: { method: "revoke", meaning: "Revokes access." },
  modify: { method: "modify", meaning: "Changes access in one step." },
  verify: { method: "verify", meaning: "Says whether one grant is there now." },
  principals: { method: "findPrincipal", meaning: "Finds a principal by its id or name." },
  usage: { method: "listUsage", meaning: "Says when access was used." },
  credentials: { method: "listCredentials", meaning: "Lists the keys, tokens and certificates of principals." },
  tools: { method: "executeTool", meaning: "Runs tools for agents." },
  sessions: { method: "endSessions", meaning: "Ends open sessions of a principal." },
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** The name of a method that implements a capability. */
export type CapabilityMethod = (typeof CAPABILITIES)[Capability]["method"];

/** Capabilities that change the target. A call of theirs that got no answer may have taken effect. */
export const WRITES: ReadonlySet<Capability> = new Set(["grant", "revoke", "modify", "tools", "sessions"]);
