import { BlockList, isIP } from "node:net";
import type { NeutralRequest } from "@reeve/core";

/** The longest header that is read. No proxy writes a longer one. */
const HEADER_LENGTH = 1_024;

/** Returns the address of the peer that sent a request. */
export type PeerOf = (request: NeutralRequest) => string | undefined;

/** Why this is neither an address nor a network; `undefined` when it is one. */
export function networksFault(entry: string): string | undefined {
  const [address = "", bits, ...more] = entry.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return "is no address and no network";
  if (bits === undefined) return undefined;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128) ? undefined : "has wrong bits";
}

/**
 * The peer's address as forwarded by proxies in these networks: the last one in X-Forwarded-For outside of them. The
 * header is ignored from anybody else.
 */
export function peerBehind(networks: readonly string[]): PeerOf {
  const trusted = new BlockList();
  for (const entry of networks) {
    const [address = "", bits] = entry.split("/");
    const family = familyOf(address);
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string | undefined) =>
    address !== undefined && isIP(address) !== 0 && trusted.check(address, familyOf(address));
  return ({ headers, remoteAddress }) => {
    let peer = remoteAddress;
    for (const hop of hopsOf(headers["x-forwarded-for"])) {
      if (!isTrusted(peer) || isIP(hop) === 0) break;
      peer = hop;
    }
    return peer;
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** The forwarded addresses without ports, nearest first. */
function hopsOf(header: string | readonly string[] | undefined): string[] {
  const text = typeof header === "string" ? header : (header ?? []).join(",");
  if (text === "" || text.length > HEADER_LENGTH) return [];
  return text.split(",").map(withoutPort).reverse();
}

function withoutPort(entry: string): string {
  const text = entry.trim();
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}
