/** How the test world and the samples register one kind of typed record. */
interface RecordBodies {
  readonly path: string;
  /** Every text field, beside the common ones. */
  readonly full: (text: string) => object;
  /** The minimum for a create, besides the name. */
  readonly brief: (text: string) => object;
  /** What differs in the record of the test world. */
  readonly inWorld?: Readonly<Record<string, unknown>>;
}

/**
 * Every kind of typed record, by the name of its operations. The world has one of each, and its five samples are
 * derived.
 */
export const ESTATE_RECORDS = {
  aiIdentities: {
    path: "/api/v1/ai/identities",
    full: (text) => ({
      kind: "workload",
      issuer: `https://issuer.example/${text}`,
      subject: text,
      blueprintRef: text,
      scopes: ["ai-asset:read"],
    }),
    brief: () => ({ kind: "workload", scopes: ["ai-asset:read"] }),
  },
  aiAgents: {
    path: "/api/v1/ai/agents",
    full: (text) => ({ kind: "assistant", framework: text, endpointUrl: `https://agents.example/${text}` }),
    brief: () => ({ kind: "coding", framework: "own" }),
  },
  aiTools: {
    path: "/api/v1/ai/tools",
    full: (text) => ({
      origin: "http",
      toolName: text,
      title: text,
      toolDescription: text,
      inputSchema: { type: "object", properties: { of: { type: "string" } } },
    }),
    brief: () => ({ origin: "http", toolName: "look up" }),
  },
  aiModels: {
    path: "/api/v1/ai/models",
    full: (text) => ({
      modelId: text,
      modelVersion: text,
      family: text,
      modality: ["text"],
      hosting: "saas",
      modelCard: { considerations: { note: text } },
      aliases: [text],
      evaluations: [{ name: text, score: 0.5, at: "2026-01-05T09:00:00.000Z" }],
    }),
    brief: (text) => ({ modelId: "m", aliases: [text] }),
  },
  mcpServers: {
    path: "/api/v1/ai/mcp-servers",
    full: (text) => ({
      url: `https://mcp.example/${text}`,
      auth: { type: "bearer", secret: `secret of ${text}` },
      registryName: text,
    }),
    brief: () => ({ url: "https://mcp.example/", auth: { type: "bearer", secret: "s" } }),
    // Without health checks, so that a tick does only what its test is about.
    inWorld: { healthCheck: { enabled: false } },
  },
} as const satisfies Readonly<Record<string, RecordBodies>>;

export type EstateRecord = keyof typeof ESTATE_RECORDS;

export const ESTATE_RECORD_NAMES = Object.keys(ESTATE_RECORDS) as EstateRecord[];

/** The bodies of one kind. */
export function bodiesOf(name: EstateRecord): RecordBodies {
  return ESTATE_RECORDS[name];
}
