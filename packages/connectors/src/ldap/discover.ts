import { ConnectorError, type DiscoveredAsset, type Page, type PageRequest } from "@reeve/core/connectors";
import type { Entry, Filter } from "ldapts";
import { pageAfter } from "../page-after.js";
import { idOf, textOf, WHO } from "./entries.js";
import type { Directory } from "./manifest.js";
import { type Session, signedIn } from "./session.js";

/** Attributes that name who answers for an entry. */
const OWNERS = ["manager", "owner"];

/** The entries that `identityFilter` names. Without one nothing is found, and nothing concluded from that. */
export async function discoverIdentities(ctx: Directory, page: PageRequest): Promise<Page<DiscoveredAsset>> {
  const { baseDn, identityFilter } = ctx.config;
  if (identityFilter === undefined) return { items: [], complete: false };
  const { entries, whole } = await signedIn(ctx, (session) =>
    session.search(baseDn, filterOf(session, identityFilter), [...WHO, "description", ...OWNERS]),
  );
  const found = entries.flatMap((entry) => assetOf(entry) ?? []);
  const { items, nextCursor, complete } = pageAfter(found, ({ externalId }) => externalId, page);
  const reason = "The entry has no entryUUID or no name that can be used.";
  return {
    items,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    complete: complete && whole,
    rejected:
      page.cursor === undefined ? Array.from({ length: entries.length - found.length }, () => ({ reason })) : [],
  };
}

function filterOf({ library }: Session, text: string): Filter {
  try {
    return library.FilterParser.parseString(text);
  } catch (cause) {
    throw new ConnectorError("config", "identityFilter is no filter that can be read.", { code: "filter", cause });
  }
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
