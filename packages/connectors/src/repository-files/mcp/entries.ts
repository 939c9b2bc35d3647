import { getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { parse } from "smol-toml";
import { UnusableFile } from "../file.js";
import { FILE_LIMITS } from "../limits.js";
import { lineAt, lineOfKey } from "../lines.js";
import { EACH, type McpFormat, type Place } from "./formats.js";

/** A server as a configuration names it, not yet checked. */
export interface McpEntry {
  readonly name: string;
  /** The project it is written for, where the file holds several. */
  readonly project?: string | undefined;
  readonly value: unknown;
  /** From 1. */
  readonly line: number;
}

/** One more than is used, so that the rest is noticed. */
const MOST = FILE_LIMITS.finds + 1;

/** The servers of a configuration. `isWhole` is false where a place for them holds something else. */
export interface McpEntries {
  readonly entries: readonly McpEntry[];
  readonly isWhole: boolean;
}

/** The servers of a configuration. Throws `UnusableFile` where it cannot be read. */
export function entriesOf(text: string, { syntax, places }: McpFormat): McpEntries {
  return syntax === "json" ? entriesOfJson(text, places) : entriesOfToml(text, places);
}

/** JSON as editors write it, with comments and trailing commas. */
export function jsonTree(text: string): Node {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true });
    if (root && errors.length === 0) return root;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UnusableFile("It is nested too deeply.");
  }
  throw new UnusableFile("It is no JSON.");
}

/** Properties of an object, in order. Of several with one name, each is given. */
export function propertiesOf(node: Node | undefined): readonly { name: string; value: Node; offset: number }[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [name, value] = [], offset }) =>
    name && value ? [{ name: String(name.value), value, offset }] : [],
  );
}

/** What stands at a place, for which project. */
interface Found<T> {
  readonly value: T;
  readonly project?: string | undefined;
}

function entriesOfJson(text: string, places: readonly Place[]): McpEntries {
  const root = jsonTree(text);
  const found = places.flatMap((place) => foundAt({ value: root }, place, propertiesOf));
  const entries = found
    .flatMap(({ value, project }) => propertiesOf(value).map((property) => ({ ...property, project })))
    .slice(0, MOST)
    .map(({ name, project, value, offset }) => ({
      ...{ name, project },
      value: getNodeValue(value),
      line: lineAt(text, offset),
    }));
  return { entries, isWhole: found.every(({ value: { type } }) => type === "object" || type === "null") };
}

function entriesOfToml(text: string, places: readonly Place[]): McpEntries {
  const root: unknown = tomlOf(text);
  const found = places.flatMap((place) => foundAt({ value: root }, place, membersOf));
  const entries = found
    .flatMap(({ value, project }) => membersOf(value).map((member) => ({ ...member, project })))
    .slice(0, MOST)
    .map((entry) => ({ ...entry, line: lineOfKey(text, entry.name) }));
  return { entries, isWhole: found.every(({ value }) => isTable(value)) };
}

const membersOf = (value: unknown) =>
  isTable(value) ? Object.entries(value).map(([name, member]) => ({ name, value: member })) : [];

/** What stands at a place. */
function foundAt<T>(from: Found<T>, place: Place, members: (value: T) => readonly NamedValue<T>[]): Found<T>[] {
  const [first, ...rest] = place;
  if (first === undefined) return [from];
  const all = members(from.value);
  const one = all.find(({ name }) => name === first);
  const next = first === EACH ? all : one ? [one] : [];
  return next.flatMap(({ name, value }) =>
    foundAt({ value, project: first === EACH ? name : from.project }, rest, members),
  );
}

interface NamedValue<T> {
  readonly name: string;
  readonly value: T;
}

export function tomlOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch {
    throw new UnusableFile("It is no TOML.");
  }
}

export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
