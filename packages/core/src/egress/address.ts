import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * What an address is: reachable by everyone; inside a network (a deployment may name hosts there); or special, which
 * no name may lead to: link-local, metadata services, multicast, documentation, tunnels and whatever is not assigned.
 */
export type AddressKind = "public" | "private" | "special";

const PRIVATE = new Set<string>(["private", "loopback", "uniqueLocal", "carrierGradeNat"]);

/** Metadata and agent addresses of clouds that lie in ranges where a public or private host could be. */
const METADATA = new Set(
  ["168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"].map(normal),
);

/** Global unicast, RFC 4291; everything of IPv6 outside is special or not assigned. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Classifies an address in its usual text form; anything else, and an address with a zone, is special. */
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
