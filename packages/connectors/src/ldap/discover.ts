import { ConnectorError, type DiscoveredAsset, type Page, type PageRequest } from "@reeve/core/connectors";
import type { Entry, Filter } from "ldapts";
import { pageAfter } from "../page-after.js";
import { idOf, textOf, WHO } from "./entries.js";
import { parsedFilter, unknownAttributes } from "./filter.js";
import type { Directory } from "./manifest.js";
import { type Session, signedIn } from "./session.js";

/** Attributes that name who answers for an entry. */
const OWNERS = ["manager", "owner"];

/** The entries that `identityFilter` names. Without one nothing is found, and nothing concluded from that. */
export async function discoverIdentities(ctx: Directory, page: PageRequest): Promise<Page<DiscoveredAsset>> {
  const { baseDn, identityFilter } = ctx.config;
  if (identityFilter === undefined) return { items: [], complete: false };
  const { entries, whole } = await signedIn(ctx, async (session) =>
    session.search(baseDn, await filterOf(session, identityFilter), [...WHO, "description", ...OWNERS]),
  );
  const found = entries.flatMap((entry) => assetOf(entry) ?? []);
  const { items, nextCursor, complete } = pageAfter(found, ({ externalId }) => externalId, page);
  const reason = "The entry has no entryUUID, no nsUniqueId or no name that can be used.";
  return {
    items,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    complete: complete && whole,
    rejected:
      page.cursor === undefined ? Array.from({ length: entries.length - found.length }, () => ({ reason })) : [],
  };
}

/** Refuses a filter whose attributes the schema does not have: servers disagree about whom it finds. */
async function filterOf(session: Session, text: string): Promise<Filter> {
  const filter = parsedFilter(session, text);
  const [name] = (await unknownAttributes(session, filter)) ?? [];
  if (name === undefined) return filter;
  const message = `The schema of the directory has no attribute ${name}, which identityFilter names.`;
  throw new ConnectorError("config", message, { code: "filter" });
}

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
    metadata: uid ? { uid } : {},
    found: [{ location: entry.dn }],
  };
}
