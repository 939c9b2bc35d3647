import { judgeServers } from "#families/enforcement/index.js";
import { type McpServer, mcpServers } from "#families/estate/index.js";
import { notFound } from "#kernel/http/errors.js";
import { cursorScope, readWindow, sealCursor } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Position } from "#store/find-query.js";
import type { ListQuery, RegistryEntry, RegistryPage } from "./fields.js";
import { OFFICIAL } from "./fields.js";
import { changesOf } from "./find-changes.js";
import { registryNames, serverNamed } from "./name-server.js";
import { entryOf, placeOf } from "./write-entry.js";

const USUAL = 30;
const MOST = 100;
/** The most servers that are looked at for one page, so that one may be short and have a next one. */
const MOST_EXAMINED = 1_000;

/**
 * A page of the servers that may be used at this moment, in the order in which they were registered. A cursor holds the place
 * of the last server that was looked at, so that no other one is left out or told twice while entries come and go.
 */
export async function listEntries(ctx: ReadContext, query: ListQuery): Promise<RegistryPage> {
  const { cursor, limit = USUAL, ...filters } = query;
  const { secretBox } = ctx.env;
  const scope = cursorScope(ctx.db.tenantId, "registry.servers", filters);
  const size = Math.min(limit, MOST);
  const window = readWindow(cursor ? { cursor, size } : { size }, scope, secretBox, ctx.request.nowMs);
  const servers: RegistryEntry[] = [];
  let after: Position | undefined = window.after;
  let examined = 0;
  do {
    const order = { direction: "asc" } as const;
    const room = size - servers.length;
    const { rows, next } = await ctx.db.find(mcpServers, { order, size: room, ...(after ? { after } : {}) });
    const entries = await entriesOf(
      ctx,
      rows.map((row) => ctx.derived(mcpServers, row)),
    );
    servers.push(...entries.filter((entry) => isAsked(entry, query)));
    examined += rows.length;
    after = next;
  } while (after && servers.length < size && examined < MOST_EXAMINED);
  const nextCursor = sealCursor(after, window.page, scope, secretBox, ctx.request.nowMs);
  return { servers, metadata: { count: servers.length, ...(nextCursor === null ? {} : { nextCursor }) } };
}

/** The one version of a server that there is: the one that is approved. 404 where it may not be used, unless that is asked for. */
export async function readEntry(ctx: ReadContext, name: string, withDeleted: boolean): Promise<RegistryEntry> {
  const server = await serverNamed(ctx, name);
  const [entry] = server ? await entriesOf(ctx, [server]) : [];
  if (!entry || !(withDeleted || isOffered(entry))) throw notFound();
  return entry;
}

/** Whether a version of an address is that of an entry. `latest` is never one that may not be used. */
export const isVersion = (entry: RegistryEntry, version: string): boolean =>
  version === "latest" ? isOffered(entry) : version === entry.server.version;

const isOffered = ({ _meta }: RegistryEntry): boolean => _meta[OFFICIAL].status !== "deleted";

function isAsked(entry: RegistryEntry, { search, updated_since: since, version, include_deleted }: ListQuery): boolean {
  const { name, title = "" } = entry.server;
  const isWanted = (text: string) => text.toLowerCase().includes((search ?? "").toLowerCase());
  if (search && !isWanted(name) && !isWanted(title)) return false;
  if (version && !isVersion(entry, version)) return false;
  if (since !== undefined && entry._meta[OFFICIAL].updatedAt < new Date(since).toISOString()) return false;
  return isOffered(entry) || since !== undefined || include_deleted === "true";
}

/** The entries of servers that were ever decided about and can be expressed. Who was not is told to nobody. */
async function entriesOf(ctx: ReadContext, servers: readonly McpServer[]): Promise<RegistryEntry[]> {
  const judged = await judgeServers(ctx, servers);
  const told = servers.filter(({ assetId }) => (judged.assets.get(assetId)?.decision ?? null) !== null);
  const [names, changes] = await Promise.all([registryNames(ctx, told), changesOf(ctx, told, judged)]);
  return told.flatMap((server) => {
    const asset = judged.assets.get(server.assetId);
    const [name, updatedAt] = [names.get(server), changes.get(server)];
    if (!asset || name === undefined || updatedAt === undefined) return [];
    const isOffered = placeOf(server) !== undefined && judged.reasonsOf(server).length === 0;
    return [entryOf({ server, asset, name, updatedAt, isOffered })];
  });
}
