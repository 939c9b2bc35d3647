import { ConnectorError } from "@reeve/core/connectors";
import type { Filter } from "ldapts";
import { requireShown } from "../asked-attributes.js";
import { OWNERS, valuesOf, WHO } from "./entries.js";
import type { Session } from "./session.js";

const ROOT = "";
/** Names of an attribute type as a schema (RFC 4512) writes them: its number, and `NAME 'a'` or `NAME ( 'a' 'b' )`. */
const NUMBER = /^\(\s*([\w.-]+)/;
const NAMES = /\sNAME\s+(?:'([^']*)'|\(\s*((?:'[^']*'\s*)+)\))/i;

/** Reads a filter (RFC 4515), and refuses one that is none. */
export function parsedFilter({ library }: Session, text: string): Filter {
  try {
    return library.FilterParser.parseString(text);
  } catch (cause) {
    throw new ConnectorError("config", "identityFilter is no filter that can be read.", { code: "filter", cause });
  }
}

/**
 * The attributes of a filter that the schema does not have, or `undefined` where the schema may not be read. A negated
 * one finds no entry on OpenLDAP and every entry on 389 Directory Server.
 */
export async function unknownAttributes(session: Session, filter: Filter): Promise<readonly string[] | undefined> {
  const known = await attributesOfSchema(session);
  return known && [...attributesOf(filter)].filter((name) => !known.has(name.toLowerCase()));
}

async function attributesOfSchema({ entry }: Session): Promise<ReadonlySet<string> | undefined> {
  const root = await entry(ROOT, ["subschemaSubentry"]);
  const [dn] = root ? valuesOf(root, "subschemaSubentry") : [];
  const schema = dn === undefined ? undefined : await entry(dn, ["attributeTypes"]);
  const types = schema ? valuesOf(schema, "attributeTypes") : [];
  return types.length === 0 ? undefined : new Set(types.flatMap(namesOf).map((name) => name.toLowerCase()));
}

function namesOf(type: string): readonly string[] {
  const [, number = ""] = NUMBER.exec(type) ?? [];
  const [, single, several = ""] = NAMES.exec(type) ?? [];
  return [
    number,
    ...(single === undefined ? [...several.matchAll(/'([^']*)'/g)].map(([, name = ""]) => name) : [single]),
  ];
}

/** Attributes without options, as `cn` of `cn;lang-de`. */
function attributesOf(filter: Filter): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting: Filter[] = [filter];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { filters = [], filter: inner, attribute, matchType } = next as Parts;
    waiting.push(...filters, ...(inner ? [inner] : []));
    const [name] = (attribute || matchType || "").split(";");
    if (name) names.add(name);
  }
  return names;
}

/** Attributes that say what kind of entry it is. A listing shows them, so a filter may ask for them. */
export const KINDS = ["employeeType", "departmentNumber", "businessCategory", "ou", "title"] as const;

/** What a filter may ask for: what listings of entries and groups show. */
const SHOWN: readonly string[] = [...WHO, "description", ...OWNERS, ...KINDS, "memberOf"];

/** Refuses a filter that asks what a listing does not show. `more`: what the host lets it ask beside that. */
export function requireShownFilter(filter: Filter, more: readonly string[]): void {
  requireShown("identityFilter", attributesOf(filter), [...SHOWN, ...more]);
}

interface Parts {
  readonly filters?: readonly Filter[];
  readonly filter?: Filter;
  readonly attribute?: string;
  readonly matchType?: string;
}
