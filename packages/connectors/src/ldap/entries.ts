import type { Principal, PrincipalType } from "@reeve/core/connectors";
import type { Entry } from "ldapts";
import { Text } from "../fields.js";
import type { Directory } from "./manifest.js";
import type { Session } from "./session.js";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PEOPLE = ["person", "inetorgperson", "posixaccount"];
const GROUPS = ["groupofnames", "groupofuniquenames", "posixgroup"];
const SERVICES = ["applicationprocess", "simplesecurityobject", "account", "device"];

/** What is asked of an entry to tell who it is. */
export const WHO = ["entryUUID", "objectClass", "cn", "displayName", "uid"] as const;

/** The texts of an attribute. Servers write its name in any case. */
export function valuesOf(entry: Entry, attribute: string): readonly string[] {
  const wanted = attribute.toLowerCase();
  const found = Object.entries(entry).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return (Array.isArray(found) ? found : [found]).filter((value): value is string => typeof value === "string");
}

/** The first text of an attribute that a record can hold. */
export const textOf = (entry: Entry, attribute: string): string | undefined =>
  valuesOf(entry, attribute).find((value) => Text(500).safeParse(value).success);

/** The id that an entry keeps when it is renamed or moved. */
export function idOf(entry: Entry): string | undefined {
  const id = valuesOf(entry, "entryUUID")[0]?.toLowerCase();
  return id && UUID.test(id) ? id : undefined;
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
  if (!UUID.test(id)) return undefined;
  const filter = new library.EqualityFilter({ attribute: "entryUUID", value: id });
  const { entries } = await search(baseDn, filter, [...WHO, ...attributes]);
  return entries.find((entry) => idOf(entry) === id);
}
