import type { Alias } from "../tenants/schema.js";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** How long a claim may stay unproven, and how long a proven alias stays active without its record, in milliseconds. */
export const CLAIM_LIFETIME = 7 * 24 * HOUR;
export const GRACE = 72 * HOUR;
/** The least time between two lookups of a name, in milliseconds, whoever asks. */
export const CHECK_PAUSE = 30 * SECOND;
const RECHECK = 24 * HOUR;

const CHALLENGE = "_reeve-challenge";
const LONGEST = 253 - CHALLENGE.length - 1;
/** Public suffixes that are not for the web. */
const SPECIAL: ReadonlySet<string | null> = new Set(["arpa", "onion"]);
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The TXT record that proves a domain. */
export function challengeOf({ domain, token }: Pick<Alias, "domain" | "token">) {
  return { type: "TXT" as const, name: `${CHALLENGE}.${domain}`, value: `reeve-verification=${token}` };
}

/**
 * A domain as it is stored and compared: ASCII, lower case, no trailing dot. `fault` when it cannot be an alias: no
 * host name, an address, a public suffix, a name without a public suffix, or a host of the platform.
 */
export async function readDomain(text: string, baseHost: string): Promise<{ domain: string } | { fault: string }> {
  const trimmed = text.trim().replace(/\.$/, "");
  // Characters that separate parts of a URL are refused first. The host of the URL is then the whole name, in ASCII and
  // lower case.
  const domain = /[\s/\\@:?#%[\]_*]/.test(trimmed) ? "" : hostOf(`http://${trimmed}/`);
  if (domain === "" || domain.length > LONGEST || !domain.split(".").every((label) => LABEL.test(label)))
    return { fault: "Not a domain name: labels of letters, digits and hyphens, without scheme, port and path." };
  // Loaded on demand, because the list of public suffixes is large and few processes read a domain.
  const { parse } = await import("tldts");
  const { isIp, isIcann, isPrivate, publicSuffix, domain: registrable } = parse(domain, { allowPrivateDomains: true });
  if (isIp || /^\d+$/.test(domain.split(".").at(-1) as string)) return { fault: "An address is not a domain." };
  if (!(isIcann || isPrivate) || SPECIAL.has(publicSuffix?.split(".").at(-1) ?? null))
    return { fault: "The domain does not end in a public suffix." };
  if (registrable === null) return { fault: "A public suffix cannot be an alias." };
  if (domain === baseHost || domain.endsWith(`.${baseHost}`))
    return { fault: "This is a host of the platform itself." };
  return { domain };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** When a claim is checked again by itself: often at first, and hourly in the end. */
export function nextClaimCheck({ claimedAt }: Pick<Alias, "claimedAt">, nowMs: number): number {
  const age = nowMs - Date.parse(claimedAt);
  return nowMs + Math.min(Math.max(age / 10, CHECK_PAUSE), HOUR);
}

/** When a proven alias is checked again: daily, and hourly while its record is missing. */
export function nextActiveCheck(seen: boolean, nowMs: number): number {
  return nowMs + (seen ? RECHECK : HOUR);
}

/** Whether an alias may be looked up now: when it is due, or on request once the pause is over. */
export function mayCheck({ checkedAt, nextCheckAt }: Alias, asked: boolean, nowMs: number): boolean {
  if (asked) return checkedAt === null || nowMs - Date.parse(checkedAt) >= CHECK_PAUSE;
  return Date.parse(nextCheckAt) <= nowMs;
}
