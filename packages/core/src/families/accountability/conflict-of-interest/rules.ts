import type { InvolvedParties } from "#kernel/records/involved.js";
import type { KnownFacts } from "./judge/facts.js";
import { actorsOf, behind, type Paths, standsFor } from "./judge/paths.js";

/** Who decides, about a matter with these involved parties. */
export interface Deciding {
  readonly decider: { readonly id: string; readonly username: string };
  readonly involved: InvolvedParties;
  readonly known: KnownFacts;
  /** Whether `known` ends before everybody behind them was read. */
  readonly cut?: boolean;
}

/** Whether somebody else decides than who asked, and if not, how they hang together, in words. */
export interface Verdict {
  readonly verdict: "independent" | "conflict_of_interest" | "related_party";
  readonly path: string | null;
}

/**
 * Judges a decider against those involved in a matter. A machine stands for who made it, gave it credentials or owns it.
 * Related are accounts of which one comes from who can act as the other.
 */
export function judgeDecider({ decider, involved, known, cut = false }: Deciding): Verdict {
  const stands = new Map<string, string>();
  for (const party of involved.ids)
    for (const [id, path] of standsFor(party, known)) if (!stands.has(id)) stands.set(id, path);
  const own = [...stands].find(([id]) => isDecider(decider, id));
  if (own) return { verdict: "conflict_of_interest", path: own[1] === "" ? `${own[0]} is involved in it` : own[1] };
  const related = relationOf(decider.id, [...stands.keys()], known);
  if (related !== undefined) return { verdict: "related_party", path: related };
  if (involved.beyond > 0) return { verdict: "related_party", path: "more people are involved than are kept" };
  if (cut) return { verdict: "related_party", path: "more accounts are behind those involved than are followed" };
  return { verdict: "independent", path: null };
}

/** An owner may be named by the address of an account. */
function isDecider({ id, username }: Deciding["decider"], party: string): boolean {
  return party === id || party.normalize("NFKC").toLowerCase() === username.normalize("NFKC").toLowerCase();
}

/** How a decider and an involved party hang together, in words. `undefined` when they do not. */
function relationOf(decider: string, involved: readonly string[], known: KnownFacts): string | undefined {
  const mine = { all: behind(decider, known), acting: actorsOf(decider, known) };
  for (const party of involved) {
    const path =
      meeting(mine.all, actorsOf(party, known), party) ?? meeting(behind(party, known), mine.acting, decider);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** The way from one account to somebody who can act as the other. */
function meeting(all: Paths, acting: Paths, actedAs: string): string | undefined {
  for (const [id, way] of acting) {
    const path = all.get(id);
    if (path === undefined) continue;
    const parts = [path, way].filter((text) => text !== "");
    return parts.length > 0 ? parts.join("; ") : actedAs;
  }
  return undefined;
}
