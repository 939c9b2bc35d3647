import {
  ConnectorError,
  type DiscoveredAsset,
  notWhole,
  type Page,
  type PageRequest,
  wholeUnless,
} from "@reeve/core/connectors";
import type { Entry, Filter } from "ldapts";
import type { FilterOptions } from "../asked-attributes.js";
import { pageAfter } from "../page-after.js";
import type { Parts } from "../parts.js";
import { nameOf, OWNERS, partOf, readEntries, WHO } from "./entries.js";
import { KINDS, parsedFilter, requireShownFilter, unknownAttributes } from "./filter.js";
import type { Directory } from "./manifest.js";
import { type Session, signedIn } from "./session.js";

/** The entries that `identityFilter` names. Without one nothing is found, and nothing concluded from that. */
export async function discoverIdentities(
  ctx: Directory,
  page: PageRequest,
  { filterAttributes = [] }: FilterOptions = {},
): Promise<Page<DiscoveredAsset>> {
  const { baseDn, identityFilter } = ctx.config;
  if (identityFilter === undefined) return { items: [], ...notWhole("part") };
  const { entries, whole } = await signedIn(ctx, async (session) =>
    session.search(baseDn, await filterOf(session, identityFilter, filterAttributes), [
      ...WHO,
      "description",
      ...OWNERS,
      ...KINDS,
    ]),
  );
  const { items, rejected, warnings } = readEntries(entries, assetOf);
  const doubt = !whole ? "hidden" : rejected.length > 0 ? "rejected" : null;
  return {
    ...pageAfter(items, ({ externalId }) => externalId, page, wholeUnless(doubt)),
    ...(page.cursor === undefined ? { rejected, warnings } : {}),
  };
}

/**
 * Refuses a filter whose attributes the schema does not have, because servers disagree about whom it finds, and one that asks
 * what a listing does not show.
 */
async function filterOf(session: Session, text: string, more: readonly string[]): Promise<Filter> {
  const filter = parsedFilter(session, text);
  const [name] = (await unknownAttributes(session, filter)) ?? [];
  if (name === undefined) {
    requireShownFilter(filter, more);
    return filter;
  }
  const message = `The schema of the directory has no attribute ${name}, which identityFilter names.`;
  throw new ConnectorError("config", message, { code: "filter" });
}

const kindsOf = (entry: Entry, parts: Parts) =>
  Object.fromEntries(
    KINDS.flatMap((name) => {
      const value = partOf(entry, name, 500, parts);
      return value ? [[name, value]] : [];
    }),
  );

/** The most characters of what is kept of an asset. */
const MOST = { name: 200, description: 2_000, owner: 320, uid: 500 } as const;

function assetOf(id: string, entry: Entry, parts: Parts): DiscoveredAsset {
  const description = partOf(entry, "description", MOST.description, parts);
  const uid = partOf(entry, "uid", MOST.uid, parts);
  const owners = OWNERS.map((attribute) => partOf(entry, attribute, MOST.owner, parts));
  const ownerHint = owners.find((value) => value !== undefined);
  return {
    externalId: id,
    assetType: "identity",
    name: nameOf(entry, ["displayName", "cn", "uid"], MOST.name, parts),
    ...(description ? { description } : {}),
    ...(ownerHint ? { ownerHint } : {}),
    metadata: { ...(uid ? { uid } : {}), ...kindsOf(entry, parts) },
    found: [{ location: entry.dn }],
  };
}
