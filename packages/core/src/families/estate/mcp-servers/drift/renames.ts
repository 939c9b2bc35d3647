import { canonical } from "#kernel/events/canonical.js";
import { schemaInOrder } from "#kernel/events/schema-order.js";
import { foldText } from "#store/comparison.js";

type Entry = Readonly<Record<string, unknown>>;

/** The least share of common words at which two descriptions count as similar. */
const ALIKE = 0.6;

/**
 * Presumed renames: old names by new names. An added entry matches a removed one with the same schema and a similar
 * description, or with the same description. Each entry matches once. It is only a hint: a renamed entry is reviewed as
 * a new one.
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
  const shape = typeof inputSchema === "object" && inputSchema !== null ? schemaInOrder(inputSchema as Entry) : null;
  return { shape: canonical([shape, given ?? null, mimeType ?? null]), text, words };
}

function alike(one: Traits, other: Traits): boolean {
  if (one.text !== "" && one.text === other.text) return true;
  return one.shape === other.shape && shared(one.words, other.words) >= ALIKE;
}

/** The Jaccard index of two sets of words. 0 when both are empty. */
function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
