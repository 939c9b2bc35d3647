import type { Names } from "./names.js";

/** The connector itself. */
export const sourceFiles = ({ key, title, factory }: Names): Readonly<Record<string, string>> => ({
  "src/index.ts": `import { type Connector, defineConnector } from "@reeve/core/connectors";
import { discoverAssets, testConnection } from "./agents.js";
import { configuration, manifest, secrets } from "./manifest.js";

/** Finds the agents of ${title}. */
export function ${factory}(): Connector {
  return defineConnector({ manifest, configuration, secrets, testConnection, discoverAssets });
}
`,
  "src/manifest.ts": `import { z } from "zod";
import type { ConnectorContext, Manifest } from "@reeve/core/connectors";

/** Shown to everybody who may see the connector. */
export const configuration = z.object({
  url: z.url({ protocol: /^https?$/ }).meta({ description: "Address of the service." }),
});

/** Kept sealed, and never shown. */
export const secrets = z.object({
  token: z.string().min(1).max(4_096).meta({ description: "Sent as a bearer token." }),
});

export type Context = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

export const manifest: Manifest = {
  providerKey: "${key}",
  interfaceVersion: 1,
  version: "0.1.0",
  displayName: "${title}",
  category: "agent_platform",
  description: "Finds the agents of ${title}.",
  capabilities: ["test", "discover"],
  requiredPermissions: [{ capability: "discover", permission: "GET /agents", why: "It lists the agents." }],
};
`,
  "src/agents.ts": `import { z } from "zod";
import {
  type ConnectionTest,
  ConnectorError,
  type DiscoveredAsset,
  expectOk,
  listingEnd,
  type Page,
  type PageRequest,
} from "@reeve/core/connectors";
import type { Context } from "./manifest.js";

const Account = z.object({ id: z.string().min(1), name: z.string() });
const Text = z.string().min(1).max(1_000);
const Agent = z.object({ id: Text, name: Text });
const Agents = z.looseObject({ agents: z.array(z.unknown()), total: z.number().int() });

/** Whether the token is accepted, and whose it is. */
export async function testConnection(ctx: Context): Promise<ConnectionTest> {
  const target = await read(ctx, "/account", Account);
  return { checks: [{ id: "token", category: "auth", status: "pass", message: "The token is accepted." }], target };
}

/** The agents, page by page. The cursor is the number of agents before the page. */
export async function discoverAssets(ctx: Context, { cursor = "0", limit }: PageRequest): Promise<Page<DiscoveredAsset>> {
  const body = await read(ctx, \`/agents?offset=\${Number(cursor)}&limit=\${limit}\`, Agents);
  const { agents, total } = body;
  // One agent in another form is left out and told of. It takes no other with it.
  const answers = agents.map((agent) => Agent.safeParse(agent));
  const known = answers.flatMap(({ data }) => (data ? [data] : []));
  const items: DiscoveredAsset[] = known.map(({ id, name }) => ({ externalId: id, assetType: "agent", name }));
  const rejected = answers.flatMap(({ success }) => (success ? [] : [{ reason: "It has no id or no name." }]));
  const next = Number(cursor) + agents.length;
  if (agents.length > 0 && next < total) return { items, rejected, nextCursor: String(next), complete: false };
  return { items, rejected, ...listingEnd({ entries: agents.length, read: next, asked: limit, body }) };
}

async function read<T>(ctx: Context, path: string, schema: z.ZodType<T>): Promise<T> {
  const headers = { accept: "application/json", authorization: \`Bearer \${await ctx.secret("token")}\` };
  const response = await expectOk(await ctx.fetch(new URL(path, ctx.config.url), { headers }), "Reading");
  const { data } = schema.safeParse(await response.json());
  if (!data) throw new ConnectorError("invalid", "The service answers in another form than is known.");
  return data;
}
`,
});
