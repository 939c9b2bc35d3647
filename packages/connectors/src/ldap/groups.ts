import {
  ConnectorError,
  type ObservedResource,
  type Page,
  type PageRequest,
  wholeUnless,
} from "@reeve/core/connectors";
import type { Entry } from "ldapts";
import { pageAfter } from "../page-after.js";
import { Parts } from "../parts.js";
import { entryOf, ID_ATTRIBUTES, nameOf, partOf, type ReadEntries, readEntries, valuesOf } from "./entries.js";
import type { Directory } from "./manifest.js";
import { type Session, signedIn } from "./session.js";

/** A kind of group: the attribute that holds its members, by name or by `uid`, and whether it may be empty. */
export interface Kind {
  readonly objectClass: string;
  readonly attribute: string;
  readonly by: "name" | "uid";
}

const KINDS: readonly Kind[] = [
  { objectClass: "groupOfNames", attribute: "member", by: "name" },
  { objectClass: "groupOfUniqueNames", attribute: "uniqueMember", by: "name" },
  { objectClass: "posixGroup", attribute: "memberUid", by: "uid" },
];

export interface Group {
  readonly id: string;
  readonly dn: string;
  readonly name: string;
  readonly description?: string;
  readonly kind: Kind;
}

/** Every group that may be seen. */
export interface Groups extends Omit<ReadEntries<Group>, "items"> {
  readonly groups: readonly Group[];
  readonly whole: boolean;
}

const ATTRIBUTES = [...ID_ATTRIBUTES, "objectClass", "cn", "description"];

export const groupBaseOf = ({ config }: Directory): string => config.groupBaseDn ?? config.baseDn;

export async function allGroups({ library, search }: Session, ctx: Directory): Promise<Groups> {
  const filter = new library.OrFilter({
    filters: KINDS.map(
      ({ objectClass }) => new library.EqualityFilter({ attribute: "objectClass", value: objectClass }),
    ),
  });
  const { entries, whole } = await search(groupBaseOf(ctx), filter, ATTRIBUTES);
  const { items, rejected, warnings } = readEntries(entries, (id, entry, parts) => groupOf(id, entry, parts) ?? id);
  const ofNoKind = items.filter((one) => typeof one === "string");
  const reason = "The directory does not show which kind of group it is.";
  return {
    groups: items.filter((one) => typeof one !== "string"),
    rejected: [...rejected, ...ofNoKind.map((externalId) => ({ externalId, reason }))],
    warnings,
    whole,
  };
}

/** The group with an id, if there is one that may be seen. */
export async function groupWithId(session: Session, ctx: Directory, id: string): Promise<Group | undefined> {
  const entry = await entryOf(session, ctx, id, ATTRIBUTES, groupBaseOf(ctx));
  return entry && groupOf(id, entry, new Parts());
}

/** `undefined` where the directory does not show which kind of group it is. */
function groupOf(id: string, entry: Entry, parts: Parts): Group | undefined {
  const classes = valuesOf(entry, "objectClass").map((name) => name.toLowerCase());
  const kind = KINDS.find(({ objectClass }) => classes.includes(objectClass.toLowerCase()));
  const description = partOf(entry, "description", 2_000, parts);
  const name = nameOf(entry, ["cn"], 500, parts);
  return kind ? { id, dn: entry.dn, name, kind, ...(description ? { description } : {}) } : undefined;
}

export async function listResources(ctx: Directory, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  if (type !== "group") throw new ConnectorError("invalid", "There is no such type.");
  const { groups, rejected, warnings, whole } = await signedIn(ctx, (session) => allGroups(session, ctx));
  const doubt = !whole ? "hidden" : rejected.length > 0 ? "rejected" : null;
  const { items, ...rest } = pageAfter(groups, ({ id }) => id, page, wholeUnless(doubt));
  return {
    items: items.map(({ id, dn, name, description, kind }) => ({
      type,
      externalId: id,
      name,
      attributes: { dn, objectClass: kind.objectClass, ...(description ? { description } : {}) },
    })),
    ...rest,
    ...(page.cursor === undefined ? { rejected, warnings } : {}),
  };
}
