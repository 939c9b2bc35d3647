import { accessDrift } from "#families/access-drift/index.js";
import { halts, mcpServers } from "#families/estate/index.js";
import { findingAt, findings, isOpen } from "#families/findings/index.js";
import { holdersOf, roles, type User } from "#families/identity/index.js";
import { visibleTo } from "#families/platform/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import { isIdOf, type StoredRecord } from "#store/collection.js";
import { type Owning, ownersOf } from "./find-owners.js";
import type { Asked, Matter, MatterSource } from "./matter.js";

/** Critical findings, for the owner of the asset, or for those who may dismiss them where there is no owner. */
export const findCriticalFindings: MatterSource = async (asked) => {
  const rows = await recordsOf(asked, findings);
  const critical = rows
    .map((finding) => findingAt(finding, asked.ctx.now))
    .filter(
      ({ effectiveSeverity, status, baseline }) => effectiveSeverity === "critical" && isOpen(status) && !baseline,
    );
  if (critical.length === 0) return [];
  const [owned, deciders] = await Promise.all([
    ownersOf(asked, assetsIn(critical), "ai-finding:read"),
    holders(asked.ctx, "ai-finding:dismiss", "ai-finding:read"),
  ]);
  return critical.map((finding): Matter => {
    const owning = owned.get(finding.assetId ?? "");
    const isOwned = (owning?.people.length ?? 0) > 0;
    return {
      ...about(findings, finding, `findings/${finding.id}`, isOwned ? owning : undefined),
      ...{ kind: "critical_finding", name: finding.title },
      people: isOwned ? (owning?.people ?? []) : deciders,
    };
  });
};

/** Access that differs from what was granted, for the owner of the asset. */
export const findDrift: MatterSource = async (asked) => {
  const open = (await recordsOf(asked, accessDrift)).filter(({ status }) => status === "open");
  const owned = await ownersOf(asked, assetsIn(open), "access:read");
  return open.map((drift): Matter => {
    const owning = owned.get(drift.assetId ?? "");
    return {
      ...about(accessDrift, drift, "access/drift", owning),
      ...{ kind: "access_drift", name: owning?.asset.name ?? drift.name },
      people: owning?.people ?? [],
    };
  });
};

/** MCP servers that offer something else than was approved, for the owner of the asset. */
export const findChangedServers: MatterSource = async (asked) => {
  const changed = (await recordsOf(asked, mcpServers)).filter(
    ({ manifest }) => manifest.approved !== null && manifest.state !== "in_sync",
  );
  const owned = await ownersOf(asked, assetsIn(changed), "mcp-server:read");
  return changed.map((server): Matter => {
    const owning = owned.get(server.assetId);
    return {
      ...about(mcpServers, server, `estate/mcp-servers/${server.id}`, owning),
      ...{ kind: "server_changed", key: `${server.id} ${server.manifest.current}`, people: owning?.people ?? [] },
    };
  });
};

/** Halts in force, for those who may lift them and for the owner of a server that one stops, but not for who started it. */
export const findHalts: MatterSource = async (asked) => {
  const active = (await recordsOf(asked, halts)).filter(({ status }) => status === "active");
  if (active.length === 0) return [];
  const targets = active.flatMap(({ scope, target }) => (scope === "mcp_server" && target !== null ? [target] : []));
  const [owned, lifters] = await Promise.all([
    ownersOf(asked, targets, "ai-halt:read"),
    holders(asked.ctx, "ai-halt:lift", "ai-halt:read"),
  ]);
  return active.map((halt): Matter => {
    const all = [...lifters, ...(owned.get(halt.target ?? "")?.people ?? [])];
    const people = new Map(all.filter(({ id }) => id !== halt.createdBy).map((user) => [user.id, user] as const));
    return { ...about(halts, { ...halt, assetId: null }, "stop"), kind: "halt", people: [...people.values()] };
  });
};

/** The records of a collection among these. */
async function recordsOf<R extends StoredRecord>({ ctx, ids }: Asked, collection: Collection<R>): Promise<R[]> {
  const own = ids.filter((id) => isIdOf(collection, id));
  return (await ctx.db.getMany(collection, own)).map(({ value }) => value);
}

const assetsIn = (records: readonly { readonly assetId: string | null }[]): string[] =>
  records.flatMap(({ assetId }) => assetId ?? []);

function about<R extends StoredRecord>(
  { resource }: Collection<R>,
  record: { readonly id: string; readonly assetId: string | null; readonly name?: string },
  page: string,
  owning?: Owning,
) {
  const { id, assetId, name = id } = record;
  const subject = { type: resource?.type ?? "", id, path: `${resource?.path}/${id}` };
  return { key: id, name, matter: null, subject, assetId, page, dueAt: null, whose: owning?.whose };
}

/** Active people who hold a permission and see the records. */
async function holders(ctx: ReadContext, permission: string, reads: string): Promise<readonly User[]> {
  const { people } = await holdersOf(ctx, permission);
  const may = (user: User) => visibleTo(ctx, ctx.env.use(roles).permissionsOf(user.roles));
  return people.filter((user) => may(user)(permission) && may(user)(reads));
}
