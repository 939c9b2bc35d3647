import { identities } from "#families/estate/index.js";
import { type Ask, assetTypeOf, resemblesAsset } from "#families/governance/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { findRecords, type Name } from "./find-records.js";

/** Questions with the ids of records in place of the names by which others know them. */
export interface Named {
  readonly asks: readonly Ask[];
  /** Of each question the assets that a name of it may mean, where those are several and the caller may see them. */
  readonly ambiguous: readonly (Readonly<Record<string, readonly string[]>> | undefined)[];
}

type Party = Ask["subject"];

/**
 * Puts ids of assets in place of names: agents by name, address or client id, tools by name and server, servers by address or
 * name, all others by name. A name of none or of several stays as it is, and is denied as unknown.
 */
export async function nameRecords(ctx: ReadContext, asks: readonly Ask[]): Promise<Named> {
  const parties = [...new Set(asks.flatMap(({ subject, resource }) => [subject, resource]))];
  const named = parties.flatMap((party) => {
    const name = nameIn(party);
    return name ? [{ party, name }] : [];
  });
  if (named.length === 0) return { asks, ambiguous: [] };
  const found = await findRecords(
    ctx,
    named.map(({ name }) => name),
  );
  const idsOf = new Map(named.map(({ party }, index) => [party, [...(found[index] ?? [])]]));
  const known = (party: Party): Party => {
    const [only, ...others] = idsOf.get(party) ?? [];
    return only === undefined || others.length > 0 ? party : { ...party, id: only };
  };
  const maySee = ctx.principal.permissions.has("ai-asset:read");
  return {
    asks: asks.map((ask) => ({ ...ask, subject: known(ask.subject), resource: known(ask.resource) })),
    ambiguous: asks.map(({ subject, resource }) => {
      const several = Object.entries({ subject, resource }).flatMap(([role, party]) => {
        const ids = idsOf.get(party) ?? [];
        return ids.length > 1 ? [[role, ids] as const] : [];
      });
      return maySee && several.length > 0 ? Object.fromEntries(several) : undefined;
    }),
  };
}

/** The name in a party: of an asset by something other than its id, or of an agent by the id of its identity. */
function nameIn({ type, id, properties }: Party): Name | undefined {
  const assetType = assetTypeOf(type);
  if (assetType === undefined) return undefined;
  if (resemblesAsset(id) && !(assetType === "agent" && isIdOf(identities, id))) return undefined;
  const server = properties?.server;
  return { assetType, id, server: assetType === "tool" && typeof server === "string" ? server : undefined };
}
