import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { isAddress } from "./address.js";
import { isHostName } from "./host-name.js";

type Network = ReturnType<typeof ipaddr.parseCIDR>;
type Entry = { readonly port: number | undefined } & ({ readonly host: string } | { readonly network: Network });

/** The targets that a deployment allows beyond public https. */
export interface AllowList {
  /** Whether a name is listed for this port. */
  names(host: string, port: number): boolean;
  /** Whether an address lies in a listed network for this port. */
  covers(address: string, port: number): boolean;
  /** Whether any network is listed for this port. If so, a name must be resolved before it can be refused. */
  hasNetwork(port: number): boolean;
}

/** Parses entries that `egressAllowFault` accepts. */
export function createAllowList(entries: readonly string[]): AllowList {
  const parsed = entries.map((text) => {
    const entry = parseEntry(text);
    if (typeof entry === "string") throw new RangeError(`"${text}" ${entry}`);
    return entry;
  });
  const at = (port: number) => parsed.filter((entry) => entry.port === undefined || entry.port === port);
  return {
    names: (host, port) => at(port).some((entry) => "host" in entry && entry.host === host),
    hasNetwork: (port) => at(port).some((entry) => "network" in entry),
    covers(address, port) {
      if (!isAddress(address)) return false;
      const parsedAddress = ipaddr.parse(address);
      return at(port).some(
        (entry) =>
          "network" in entry && entry.network[0].kind() === parsedAddress.kind() && parsedAddress.match(entry.network),
      );
    },
  };
}

/**
 * Why an entry of `egressAllow` is invalid, or `undefined`. An entry is `host`, `host:port`, an address or a network
 * `address/bits`, each with or without `:port`. IPv6 needs brackets before a port.
 */
export function egressAllowFault(text: string): string | undefined {
  const entry = parseEntry(text);
  return typeof entry === "string" ? entry : undefined;
}

const BRACKETS = /^\[([\da-f:.]+(?:\/\d{1,3})?)\](?::(\d{1,5}))?$/i;
const PLAIN = /^([^:]+)(?::(\d{1,5}))?$/;
const BARE_IPV6 = /^([\da-f:.]+(?:\/\d{1,3})?)$/i;

function parseEntry(text: string): Entry | string {
  const match = BRACKETS.exec(text) ?? PLAIN.exec(text) ?? BARE_IPV6.exec(text);
  if (!match) return "is not a host, address or network, with or without a port";
  const [, target = "", portText] = match;
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && (port < 1 || port > 65_535)) return "has a port outside 1 to 65535";
  if (text.startsWith("[") && !target.includes(":")) return "has brackets around what is not IPv6";
  if (target.includes("/")) return parseNetwork(target, port);
  if (isAddress(target)) return { network: ipaddr.parseCIDR(`${target}/${isIP(target) === 4 ? 32 : 128}`), port };
  const host = target.toLowerCase();
  return isHostName(host) ? { host, port } : "is not a host name or address in its usual form";
}

function parseNetwork(text: string, port: number | undefined): Entry | string {
  const [address = "", bits = ""] = text.split("/");
  const most = isIP(address) === 4 ? 32 : 128;
  if (!isAddress(address) || !/^\d{1,3}$/.test(bits) || Number(bits) > most) return "is not a network in CIDR form";
  if (bits === "0") return "would allow every address";
  const family = isIP(address) === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = family.networkAddressFromCIDR(text).toNormalizedString();
  if (first !== ipaddr.parse(address).toNormalizedString()) return "has address bits beyond its prefix";
  return { network: ipaddr.parseCIDR(text), port };
}
