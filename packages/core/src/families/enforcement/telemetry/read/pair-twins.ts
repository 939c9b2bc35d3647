import type { Twin, Use } from "./uses.js";

/**
 * Calls that are logged twice, once without tokens: one of each pair of a conversation. What has no partner counts, with
 * unknown tokens where it came without.
 */
export function pairTwins(twins: readonly Twin[]): { readonly single: readonly Use[]; readonly repeated: number } {
  const waiting = new Map<string, number>();
  for (const { of, hasTokens } of twins) if (hasTokens) waiting.set(of, (waiting.get(of) ?? 0) + 1);
  const single = twins.flatMap(({ use, of, hasTokens }) => {
    const partners = waiting.get(of) ?? 0;
    if (hasTokens || partners === 0) return [use];
    waiting.set(of, partners - 1);
    return [];
  });
  return { single, repeated: twins.length - single.length };
}
