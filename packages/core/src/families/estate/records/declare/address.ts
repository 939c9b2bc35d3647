import { sha256 } from "#store/chain.js";

/** A URL as a short key, the same for equivalent spellings. */
export function addressKey(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? sha256(new URL(url).href) : null;
}
