import { canonical } from "../../../../kernel/events/canonical.js";
import { foldText } from "../../../../store/collection.js";

type Entry = Readonly<Record<string, unknown>>;

/** Least share of words that two descriptions have in common to be of one tool. */
const ALIKE = 0.6;

/**
 * Which added entry seems to be which removed one: same schema and much the same description, or the same description alone. Gives
 * former names by new ones; each is matched once. It is a hint for reviewers: a renamed entry is reviewed like a new one.
 */
export function renamesAmong(
  removed: ReadonlyMap<string, Entry>,
  added: ReadonlyMap<string, Entry>,
): Map<string, string> {
  const found = new Map<string, string>();
  const left = new Map([...removed].map(([name, entry]) => [name, traitsOf(entry)]));
  for (const [name, entry] of added) {
    const traits = traitsOf(entry);
    const former = [...left].find(([, candidate]) => alike(traits, candidate))?.[0];
    if (former === undefined) continue;
    found.set(name, former);
    left.delete(former);
  }
  return found;
}

interface Traits {
  readonly shape: string;
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

function traitsOf({ inputSchema, arguments: given, mimeType, description }: Entry): Traits {
  const text = typeof description === "string" ? foldText(description).replaceAll(/\s+/gu, " ").trim() : "";
  const words = new Set(text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""));
  return { shape: canonical([inputSchema ?? null, given ?? null, mimeType ?? null]), text, words };
}

function alike(one: Traits, other: Traits): boolean {
  if (one.text !== "" && one.text === other.text) return true;
  return one.shape === other.shape && shared(one.words, other.words) >= ALIKE;
}

/** The share of common words among all of both; nothing of two empty ones. */
function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
