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
import { idOf, OWNERS, textOf, WHO } from "./entries.js";
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
  const found = entries.flatMap((entry) => assetOf(entry) ?? []);
  const reason = "The entry has no entryUUID, no nsUniqueId or no name that can be used.";
  return {
    ...pageAfter(found, ({ externalId }) => externalId, page, wholeUnless(whole ? null : "hidden")),
    rejected:
      page.cursor === undefined ? Array.from({ length: entries.length - found.length }, () => ({ reason })) : [],
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

const kindsOf = (entry: Entry) =>
  Object.fromEntries(
    KINDS.flatMap((name) => {
      const value = textOf(entry, name);
      return value ? [[name, value]] : [];
    }),
  );

function assetOf(entry: Entry): DiscoveredAsset | undefined {
  const id = idOf(entry);
  const name = textOf(entry, "displayName") ?? textOf(entry, "cn") ?? textOf(entry, "uid");
  if (id === undefined || name === undefined) return undefined;
  const [description, uid] = [textOf(entry, "description"), textOf(entry, "uid")];
  const ownerHint = OWNERS.map((attribute) => textOf(entry, attribute)).find((value) => value !== undefined);
  return {
    externalId: id,
    assetType: "identity",
    name,
    ...(description ? { description } : {}),
    ...(ownerHint ? { ownerHint } : {}),
    metadata: { ...(uid ? { uid } : {}), ...kindsOf(entry) },
    found: [{ location: entry.dn }],
  };
}
