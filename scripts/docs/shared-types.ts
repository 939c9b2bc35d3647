import { SHARED_PROPERTIES } from "../../packages/core/src/kernel/pipeline/openapi/shared-properties.js";
import { bare } from "./comments.js";

/** Shorter types stay inline. */
const WORTH_A_NAME = 40;

/** Types of the language that the declarations use. */
const LANGUAGE = ["Record", "Partial"];

/** The fewest members of an interface that others extend. */
const WORTH_A_PARENT = 12;

/**
 * Declares types that repeat. Everything is printed twice. The first pass counts by `outline`, the whole type as text.
 * After `nameShared` the second pass uses names for repeated types.
 */
export class SharedTypes {
  /** Where each outline occurs, such as `AiAgent.status`. */
  readonly #seen = new Map<string, string[]>();
  readonly #names = new Map<string, string>();
  readonly #declared = new Map<string, string>();
  readonly #bases = new Map<string, readonly string[]>();
  readonly #whole = new Map<string, readonly string[]>();

  /** Ends the first pass. Gives repeated types names that are not `reserved`. */
  nameShared(reserved: readonly string[]): void {
    const taken = new Set([...LANGUAGE, ...reserved, ...this.#declared.keys(), ...Object.keys(SHARED_PROPERTIES)]);
    const repeated = [...this.#seen].filter(([, paths]) => paths.length > 1);
    for (const [outline, paths] of repeated) {
      const others = repeated.filter(([other]) => other !== outline).flatMap(([, elsewhere]) => elsewhere);
      const name = namesFor(paths, others).find((candidate) => !taken.has(candidate));
      if (name === undefined) throw new Error(`every name for the type of ${paths[0]} is taken`);
      taken.add(name);
      this.#names.set(outline, name);
    }
    this.#declared.clear();
    this.#bases.clear();
    this.#whole.clear();
  }

  /** The declarations in alphabetical order. */
  declarations(): string[] {
    return [...this.#declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  /** A union of values, by name if it repeats. */
  union(path: string, text: string): string {
    this.#count(path, text);
    const name = this.#names.get(text);
    if (name === undefined) return text;
    this.#declared.set(name, `type ${name} = ${text};`);
    return name;
  }

  /** An object without an id. */
  object(path: string, outline: string, members: () => string[]): string {
    const times = this.#count(path, outline);
    const name = this.#names.get(outline);
    if (name !== undefined) return this.interface(name, members);
    return times > 1 ? outline : this.#inline(members());
  }

  /** An object that is always named. */
  interface(name: string, members: () => string[]): string {
    if (this.#declared.has(name)) return name;
    // Set before printing the members, which may have the same type.
    this.#declared.set(name, "");
    const whole = members();
    const parent = this.#parentOf(whole);
    const { bases, rest } = parent ?? this.#split(whole);
    this.#whole.set(name, whole);
    if (bases.length > 0 && rest.length === 0) {
      this.#declared.delete(name);
      return bases.join(" & ");
    }
    const isAlias = rest.length === 0 || allOptional(rest);
    const text = isAlias
      ? `type ${name} = ${[...bases, body(rest)].join(" & ")};`
      : `interface ${name} ${heritage(bases)}${braces(rest)}`;
    this.#declared.set(name, text);
    return name;
  }

  /** The largest interface whose members are all among these. */
  #parentOf(
    members: readonly string[],
  ): { readonly bases: readonly string[]; readonly rest: readonly string[] } | undefined {
    const [largest] = [...this.#whole]
      .filter(([, own]) => own.length >= WORTH_A_PARENT && own.every((member) => holds(members, member)))
      .sort(([, one], [, other]) => other.length - one.length);
    if (!largest) return undefined;
    const [name, own] = largest;
    return { bases: [name], rest: members.filter((member) => !holds(own, member)) };
  }

  #count(path: string, outline: string): number {
    if (outline.length < WORTH_A_NAME || this.#names.size > 0) return 0;
    const paths = this.#seen.get(outline) ?? [];
    this.#seen.set(outline, paths);
    return paths.push(path);
  }

  #inline(members: readonly string[]): string {
    const { bases, rest } = this.#split(members);
    return [...bases, ...(rest.length > 0 || bases.length === 0 ? [body(rest)] : [])].join(" & ");
  }

  /** Removes the members of each base that has exactly the same. */
  #split(members: readonly string[]): { readonly bases: readonly string[]; readonly rest: readonly string[] } {
    const bases: string[] = [];
    let rest = members;
    for (const [base, keys] of Object.entries(SHARED_PROPERTIES)) {
      const shared = rest.filter((member) => keys.some((key) => new RegExp(`^${key}[?:]`).test(bare(member))));
      if (shared.length < keys.length) continue;
      // Bases of requests have optional members only.
      if (base.endsWith("RequestBase") && !allOptional(shared)) continue;
      const known = this.#bases.get(base) ?? shared;
      if (shared.some((member) => !holds(known, member))) continue;
      this.#bases.set(base, known);
      this.#declared.set(
        base,
        allOptional(known) ? `type ${base} = ${body(known)};` : `interface ${base} ${braces(known)}`,
      );
      bases.push(base);
      rest = rest.filter((member) => !shared.includes(member));
    }
    return { bases, rest };
  }
}

/** Whether members have one of the same name and type, whatever is said of it. */
const holds = (members: readonly string[], member: string) => members.some((one) => bare(one) === bare(member));

const heritage = (bases: readonly string[]) => (bases.length > 0 ? `extends ${bases.join(", ")} ` : "");

const OPTIONAL = /^(\n\/\*\*.*?\*\/ )?([\w$]+|"[^"]+")\?: (.+) \| undefined;$/s;
const allOptional = (members: readonly string[]) =>
  members.length > 2 && members.every((member) => OPTIONAL.test(bare(member)));

/** Members in braces. If all are optional, the whole is made partial. */
const body = (members: readonly string[]): string =>
  allOptional(members)
    ? `Loose<${braces(members.map((member) => member.replace(OPTIONAL, "$1$2: $3;")))}>`
    : braces(members);

export const braces = (members: readonly string[]): string =>
  members.length === 0 ? "Record<string, never>" : `{ ${members.join(" ")} }`;

const keyOf = (path: string) => path.split(".").at(-1) as string;
const pascal = (path: string) => path.replace(/(?:^|\W)+(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `AiAgent.status` and `AgentPatch.status` become `Status` if no other type has that key, else `AiAgentStatus`. */
function namesFor(paths: readonly string[], others: readonly string[]): string[] {
  const keys = [...new Set(paths.map(keyOf))].filter((key) => !others.some((other) => keyOf(other) === key));
  const places = [...paths].sort((one, other) => one.length - other.length).map(pascal);
  // A union of objects has several types at one path, which are numbered.
  return [...keys.map(pascal), ...places, ...[2, 3, 4, 5].map((number) => `${places[0]}${number}`)];
}
