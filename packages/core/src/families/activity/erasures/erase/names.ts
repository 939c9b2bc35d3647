import { users } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import type { EventFacts } from "./facts.js";

/** Names and addresses of people, each with the id that stands in its place. */
export type Pseudonyms = ReadonlyMap<string, string>;

/** The names of everybody in these events, as they are now and as the events tell. */
export async function pseudonymsOf(ctx: ReadContext, events: readonly EventFacts[]): Promise<Pseudonyms> {
  const people = events.flatMap(({ named }) => named).filter(({ id }) => isIdOf(users, id));
  const rows = await ctx.db.getMany(users, [...new Set(people.map(({ id }) => id))]);
  const names = new Map<string, string>();
  for (const { id, name, username } of [...people, ...rows.map(({ value }) => value)])
    for (const text of [name, username])
      if (typeof text === "string" && text !== "") for (const form of formsOf(text)) names.set(form, id);
  return names;
}

/** A text with ids in place of names. Longer names go first, because they may hold shorter ones. */
export function withoutNames(text: string, names: Pseudonyms): string {
  if (names.size === 0) return text;
  const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
  const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.map(escaped).join("|")})(?![\\p{L}\\p{N}])`, "giu");
  return text.normalize("NFKC").replace(any, (name) => names.get(folded(name)) ?? name);
}

/** A name as it is found, also where its small letters are other ones, and as it is looked up. */
export function formsOf(text: string): readonly string[] {
  const normal = text.normalize("NFKC");
  return [normal, normal.toLowerCase(), folded(text)];
}

/** By way of capitals, because several small letters may share one. */
const folded = (text: string) => text.normalize("NFKC").toUpperCase().toLowerCase();
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
