import {
  ConnectorError,
  type ObservedResource,
  type Page,
  type PageRequest,
  type RejectedItem,
  wholeUnless,
} from "@reeve/core/connectors";
import type { Entry } from "ldapts";
import { pageAfter } from "../page-after.js";
import { entryOf, ID_ATTRIBUTES, idOf, textOf, valuesOf } from "./entries.js";
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
export interface Groups {
  readonly groups: readonly Group[];
  readonly rejected: readonly RejectedItem[];
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
  const groups = entries.flatMap((entry) => groupOf(entry) ?? []);
  const reason = "The group has no entryUUID, no nsUniqueId or no cn that can be used.";
  return { groups, rejected: Array.from({ length: entries.length - groups.length }, () => ({ reason })), whole };
}

/** The group with an id, if there is one that may be seen. */
export async function groupWithId(session: Session, ctx: Directory, id: string): Promise<Group | undefined> {
  const entry = await entryOf(session, ctx, id, ATTRIBUTES, groupBaseOf(ctx));
  return entry && groupOf(entry);
}

function groupOf(entry: Entry): Group | undefined {
  const classes = valuesOf(entry, "objectClass").map((name) => name.toLowerCase());
  const kind = KINDS.find(({ objectClass }) => classes.includes(objectClass.toLowerCase()));
  const [id, name, description] = [idOf(entry), textOf(entry, "cn"), textOf(entry, "description")];
  return kind && id && name ? { id, dn: entry.dn, name, kind, ...(description ? { description } : {}) } : undefined;
}

export async function listResources(ctx: Directory, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  if (type !== "group") throw new ConnectorError("invalid", "There is no such type.");
  const { groups, rejected, whole } = await signedIn(ctx, (session) => allGroups(session, ctx));
  const { items, ...rest } = pageAfter(groups, ({ id }) => id, page, wholeUnless(whole ? null : "hidden"));
  return {
    items: items.map(({ id, dn, name, description, kind }) => ({
      type,
      externalId: id,
      name,
      attributes: { dn, objectClass: kind.objectClass, ...(description ? { description } : {}) },
    })),
    ...rest,
    rejected: page.cursor === undefined ? rejected : [],
  };
}
