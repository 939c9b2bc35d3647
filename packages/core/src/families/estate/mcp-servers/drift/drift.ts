import type { ReadContext } from "#kernel/operation/read-context.js";
import { mappingLanguage } from "../../tools/mapping/mapping-language.js";
import { NO_OFFER } from "../manifest/manifest.js";
import { readSnapshot } from "../manifest/snapshots.js";
import { type McpServer, mcpServers } from "../schema.js";
import { identityWarnings } from "../warnings/identity-warnings.js";
import { mappingWarnings } from "../warnings/mapping-warnings.js";
import { nameWarnings } from "../warnings/names.js";
import { leftOutWarnings, MOST_WARNINGS, offerWarnings, WARNINGS } from "../warnings/warnings.js";
import { circumstancesOf } from "./circumstances.js";
import { compareOffers } from "./compare.js";
import type { Drift } from "./schema.js";
import { mostSevere } from "./severity.js";

/** The drift of a server, with warnings. */
export async function readDrift(ctx: ReadContext, server: McpServer): Promise<Drift> {
  const { id, manifest } = server;
  const about = {
    serverId: id,
    state: manifest.state,
    manifestDigest: manifest.current,
    approvedDigest: manifest.approved,
    fetchedAt: manifest.fetchedAt,
  };
  const [current, approved] = await Promise.all([readSnapshot(ctx, id, "current"), readSnapshot(ctx, id, "approved")]);
  if (!current) return { ...about, severity: null, items: [], circumstances: [], warnings: [] };
  const items = compareOffers(approved ?? NO_OFFER, current);
  const known = { era: approved?.protocol.era ?? null, name: approved?.serverInfo?.name ?? null };
  const warnings = [
    ...leftOutWarnings(current),
    ...identityWarnings(known, current),
    ...(await nameWarnings(ctx, id, current, (ids) => existing(ctx, ids))),
    ...(await mappingWarnings(ctx.env.use(mappingLanguage), current)),
    ...(await offerWarnings(current)),
  ].slice(0, MOST_WARNINGS);
  return {
    ...about,
    severity: mostSevere(items.map((item) => item.severity)),
    items: items.map((item) => ({ ...item, changes: [...item.changes] })),
    circumstances: circumstancesOf(approved, current),
    warnings: warnings.map((warning) => ({ ...warning, message: WARNINGS[warning.code] })),
  };
}

/** The most ids of a description that are looked up. */
const MOST_IDS = 1_000;

async function existing(ctx: ReadContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await ctx.db.getMany(mcpServers, ids.slice(0, MOST_IDS))).map((row) => row.id));
}
