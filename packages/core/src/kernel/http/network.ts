import ipaddr from "ipaddr.js";

/** The longest address, with zone and port. */
const LONGEST = 100;

/**
 * The network that limits count as one peer. An IPv6 address counts by its /64, because one subscriber has all of it;
 * an IPv4-mapped one counts as its IPv4 address. Ports do not count. Other text is returned in lower case, cut to a
 * hundred characters.
 */
export function networkOf(address: string): string {
  const text = withoutPort(address.slice(0, LONGEST).toLowerCase());
  const [host = ""] = text.split("%");
  if (!host.includes(":") || !ipaddr.IPv6.isValid(host)) return host;
  const parsed = ipaddr.IPv6.parse(host);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}

/** An address as proxies forward it, `192.0.2.1:443` or `[2001:db8::1]:443`, without its port. */
function withoutPort(text: string): string {
  if (text.startsWith("[")) return text.slice(1).split("]", 1)[0] as string;
  const [host = "", port, more] = text.split(":", 3);
  return port !== undefined && more === undefined && ipaddr.IPv4.isValidFourPartDecimal(host) ? host : text;
}
