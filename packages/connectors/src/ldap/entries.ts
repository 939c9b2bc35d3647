import type { LeftOutPart, Principal, PrincipalType, RejectedItem } from "@reeve/core/connectors";
import type { Entry } from "ldapts";
import { Text, Visible } from "../fields.js";
import { Parts } from "../parts.js";
import type { Directory } from "./manifest.js";
import type { Session } from "./session.js";

/**
 * Attributes of ids that stay when an entry is renamed or moved, the first that is shown counts. 389 Directory Server
 * gives every entry an `nsUniqueId`, and an `entryUUID` (RFC 4530) only to those made after its first start.
 */
const IDS = [
  { attribute: "nsUniqueId", form: /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/ },
  { attribute: "entryUUID", form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
] as const;

/** What is asked of an entry to tell its id. */
export const ID_ATTRIBUTES: readonly string[] = IDS.map(({ attribute }) => attribute);

/** An id of either form, as a source of expressions. */
export const ID_FORM = "[0-9a-f-]{35,36}";
const PEOPLE = ["person", "inetorgperson", "posixaccount"];
const GROUPS = ["groupofnames", "groupofuniquenames", "posixgroup"];
const SERVICES = ["applicationprocess", "simplesecurityobject", "account", "device"];

/** What is asked of an entry to tell who it is. */
export const WHO = [...ID_ATTRIBUTES, "objectClass", "cn", "displayName", "uid"] as const;

/** Attributes that name who answers for an entry. */
export const OWNERS = ["manager", "owner"] as const;

/** The texts of an attribute. Servers write its name in any case. */
export function valuesOf(entry: Entry, attribute: string): readonly string[] {
  const wanted = attribute.toLowerCase();
  const found = Object.entries(entry).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return (Array.isArray(found) ? found : [found]).filter((value): value is string => typeof value === "string");
}

/** The first text of an attribute that a record can hold. */
export const textOf = (entry: Entry, attribute: string): string | undefined =>
  valuesOf(entry, attribute).find((value) => Text(500).safeParse(value).success);

/** The same, told where the attribute has values and none that is a text of at most so many characters. */
export function partOf(entry: Entry, attribute: string, most: number, parts: Parts): string | undefined {
  const given = Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase())?.[1];
  const usable = valuesOf(entry, attribute).find((value) => Visible(most).safeParse(value).success);
  const isGiven = given !== undefined && [given].flat().some(({ length }) => length > 0);
  if (usable === undefined && isGiven)
    parts.leaveOut(attribute, `It has no value that is a text of at most ${most} characters.`);
  return usable;
}

/** The first name of an entry that can be kept; its distinguished name where it has none. */
export function nameOf(entry: Entry, attributes: readonly string[], most: number, parts: Parts): string {
  const names = attributes.map((attribute) => partOf(entry, attribute, most, parts));
  return names.find((name) => name !== undefined) ?? entry.dn.slice(0, most);
}

/** Entries read one by one. */
export interface ReadEntries<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedItem[];
  readonly warnings: readonly LeftOutPart[];
}

/** Reads entries one by one. One without an id, or with the id of an entry before, is rejected. */
export function readEntries<T>(
  entries: readonly Entry[],
  read: (id: string, entry: Entry, parts: Parts) => T,
): ReadEntries<T> {
  const [items, rejected, warnings, seen] = [[] as T[], [] as RejectedItem[], [] as LeftOutPart[], new Set<string>()];
  for (const entry of entries) {
    const id = idOf(entry);
    const parts = new Parts();
    if (id === undefined) rejected.push({ externalId: entry.dn, reason: NO_ID });
    else if (seen.has(id)) rejected.push({ externalId: id, reason: "Another entry has the same id." });
    else {
      seen.add(id);
      items.push(read(id, entry, parts));
      warnings.push(...parts.of(id));
    }
  }
  return { items, rejected, warnings };
}

const NO_ID = "The entry has no entryUUID and no nsUniqueId that can be used.";

/** The id that an entry keeps when it is renamed or moved. */
export function idOf(entry: Entry): string | undefined {
  for (const { attribute, form } of IDS) {
    const id = valuesOf(entry, attribute)[0]?.toLowerCase();
    if (id && form.test(id)) return id;
  }
  return undefined;
}

/** Whom an entry stands for. */
export function principalOf(entry: Entry, externalId: string): Principal {
  const displayName = textOf(entry, "displayName") ?? textOf(entry, "cn") ?? textOf(entry, "uid");
  return { type: typeOf(entry), externalId, ...(displayName ? { displayName } : {}) };
}

function typeOf(entry: Entry): PrincipalType {
  const classes = valuesOf(entry, "objectClass").map((name) => name.toLowerCase());
  const isOneOf = (names: readonly string[]) => names.some((name) => classes.includes(name));
  if (isOneOf(GROUPS)) return "group";
  return !isOneOf(PEOPLE) && isOneOf(SERVICES) ? "service_account" : "user";
}

/** The entry with an id, if there is one below the base that may be seen. */
export async function entryOf(
  { library, search }: Session,
  { config }: Directory,
  id: string,
  attributes: readonly string[] = [],
  baseDn: string = config.baseDn,
): Promise<Entry | undefined> {
  const attribute = IDS.find(({ form }) => form.test(id))?.attribute;
  if (attribute === undefined) return undefined;
  const filter = new library.EqualityFilter({ attribute, value: id });
  const { entries } = await search(baseDn, filter, [...WHO, ...attributes]);
  return entries.find((entry) => idOf(entry) === id);
}
