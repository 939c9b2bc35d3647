import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * `public`: reachable by everyone. `private`: inside a network; a deployment may allow hosts there. `special`:
 * link-local, metadata services, multicast, documentation, tunnels and unassigned; no host name may resolve to it.
 */
export type AddressKind = "public" | "private" | "special";

const PRIVATE = new Set<string>(["private", "loopback", "uniqueLocal", "carrierGradeNat"]);

/** Addresses of cloud metadata services and agents in ranges that are otherwise public or private. */
const METADATA = new Set(
  ["168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"].map(normal),
);

/** Global unicast (RFC 4291). All other IPv6 ranges are special or unassigned. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Classifies an address in its usual text form. Anything else is special, also an address with a zone. */
export function kindOf(address: string): AddressKind {
  if (!isAddress(address) || METADATA.has(normal(address))) return "special";
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (PRIVATE.has(range)) return "private";
  if (range !== "unicast") return "special";
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST) ? "public" : "special";
}

/** Whether this is an IPv4 or IPv6 address in its usual text form, without a zone. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}

function normal(address: string): string {
  return ipaddr.parse(address).toNormalizedString();
}
