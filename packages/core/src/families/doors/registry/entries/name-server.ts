import { type McpServer, mcpServers } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

const FORM = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const LONGEST = 200;

/** The namespace of servers without a name of their own: the host of Reeve, its labels reversed. */
function namespaceOf({ env }: ReadContext): string {
  const { hostname } = new URL(env.options.baseUrl);
  return `${hostname
    .replaceAll(/[^a-zA-Z0-9.-]/g, "-")
    .split(".")
    .reverse()
    .join(".")}/`;
}

/** Whether a server's own name is one that a registry can have. Names in the namespace of Reeve are its alone. */
const isOwn = (name: string | null, namespace: string): name is string =>
  name !== null && name.length <= LONGEST && FORM.test(name) && !name.startsWith(namespace);

/**
 * The names of servers in the registry. A server has the name that its record says it has in a registry, as long as no
 * older record says the same of its own; all others are named after their asset. So no two have the same, and nobody takes
 * a name away from a server by registering another one.
 */
export async function registryNames(
  ctx: ReadContext,
  servers: readonly McpServer[],
): Promise<ReadonlyMap<McpServer, string>> {
  const namespace = namespaceOf(ctx);
  const claimed = new Set(
    servers.flatMap(({ registryName }) => (isOwn(registryName, namespace) ? [registryName] : [])),
  );
  const newest = { field: "registryName", values: [...claimed], size: 2 };
  const found = claimed.size > 0 ? await ctx.db.findTopPerKey(mcpServers, newest) : new Map();
  const bearers = new Map<string, string>();
  for (const [name, rows] of found) {
    const bearer = rows.length === 1 ? rows[0].value : await oldestNamed(ctx, name);
    if (bearer) bearers.set(name, bearer.id);
  }
  return new Map(
    servers.map((server) => {
      const { id, registryName, assetId } = server;
      const isBearer = isOwn(registryName, namespace) && bearers.get(registryName) === id;
      return [server, isBearer ? registryName : namespace + assetId];
    }),
  );
}

/** The server of a name in the registry, whether or not it may be used. */
export async function serverNamed(ctx: ReadContext, name: string): Promise<McpServer | undefined> {
  const namespace = namespaceOf(ctx);
  const server = name.startsWith(namespace)
    ? (await ctx.db.lookup(mcpServers, "asset", { assetId: name.slice(namespace.length) }))?.value
    : await oldestNamed(ctx, name);
  if (!server) return undefined;
  return (await registryNames(ctx, [server])).get(server) === name ? server : undefined;
}

async function oldestNamed(ctx: ReadContext, registryName: string): Promise<McpServer | undefined> {
  const order = { direction: "asc" } as const;
  const { rows } = await ctx.db.find(mcpServers, { where: { registryName }, order, size: 1 });
  return rows[0]?.value;
}
