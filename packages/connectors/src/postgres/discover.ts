import {
  ConnectorError,
  type DiscoveredAsset,
  notWhole,
  type Page,
  type PageRequest,
  WHOLE,
} from "@reeve/core/connectors";
import { z } from "zod";
import { Text } from "../fields.js";
import type { Server } from "./manifest.js";
import { OID } from "./resources.js";
import { reading } from "./session.js";

const Row = z.object({
  oid: z.string().regex(OID),
  name: Text(200),
  description: z.string().nullable(),
  superuser: z.boolean(),
  bypasses: z.boolean(),
});

const IDENTITIES = `SELECT oid::text, rolname AS name, shobj_description(oid, 'pg_authid') AS description,
    rolsuper AS superuser, rolbypassrls AS bypasses
  FROM pg_roles WHERE rolcanlogin AND rolname LIKE $1 AND oid::bigint > $2::bigint ORDER BY pg_roles.oid LIMIT $3`;

/** The roles that log in and fit `identityRoles`. Without a pattern nothing is found, and nothing concluded from that. */
export async function discoverIdentities(
  ctx: Server,
  { cursor = "0", limit }: PageRequest,
): Promise<Page<DiscoveredAsset>> {
  const { identityRoles } = ctx.config;
  if (identityRoles === undefined) return { items: [], ...notWhole("part") };
  if (!OID.test(cursor)) throw new ConnectorError("invalid", "There is no such page.");
  const found = await reading(ctx, (session) => session.rows(Row, IDENTITIES, [identityRoles, cursor, limit + 1]));
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const items = rows.map(assetOf);
  return found.length > limit && last ? { items, nextCursor: last.oid, complete: false } : { items, ...WHOLE };
}

function assetOf({ oid, name, description, superuser, bypasses }: z.output<typeof Row>): DiscoveredAsset {
  const kept = Text(2_000).safeParse(description);
  return {
    externalId: oid,
    assetType: "identity",
    name,
    ...(kept.success ? { description: kept.data } : {}),
    metadata: { superuser, bypassRowSecurity: bypasses },
    found: [{ location: `roles/${name}` }],
  };
}
