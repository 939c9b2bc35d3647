import ipaddr from "ipaddr.js";

/**
 * The network that limits count as one peer. An IPv6 address counts by its /64, because one subscriber has all of it;
 * an IPv4-mapped one counts as its IPv4 address. Other text is returned in lower case.
 */
export function networkOf(address: string): string {
  const text = address.toLowerCase().replace(/%.*$/, "");
  if (!text.includes(":") || !ipaddr.IPv6.isValid(text)) return text;
  const parsed = ipaddr.IPv6.parse(text);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
