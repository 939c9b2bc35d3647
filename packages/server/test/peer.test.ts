import { describe, expect, it } from "vitest";
import { networksFault, peerBehind } from "../src/http/peer.js";

const from = (networks: string[], remoteAddress: string | undefined, forwarded?: string | string[]) =>
  peerBehind(networks)({
    method: "GET",
    target: "/",
    headers: { "x-forwarded-for": forwarded },
    body: async () => undefined,
    remoteAddress,
  });

describe("the peer behind proxies", () => {
  it.each<[string, string | undefined, string | string[] | undefined, string | undefined]>([
    ["a trusted proxy", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["a proxy that writes ports", "10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["an IPv6 client with a port", "10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
    ["two trusted proxies", "10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9"],
    ["a client that forges a hop", "10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["headers sent twice", "10.0.0.1", ["198.51.100.1", "203.0.113.9"], "203.0.113.9"],
    ["an IPv4 address written as IPv6", "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["an IPv6 network", "fd00::5", "203.0.113.9", "203.0.113.9"],
    ["somebody untrusted", "203.0.113.1", "198.51.100.1", "203.0.113.1"],
    ["no header", "10.0.0.1", undefined, "10.0.0.1"],
    ["a word", "10.0.0.1", "unknown", "10.0.0.1"],
    ["colons without end", "10.0.0.1", ":".repeat(15_000), "10.0.0.1"],
    ["a socket without an address", undefined, "203.0.113.9", undefined],
  ])("is found for %s", (_what, remote, forwarded, expected) => {
    expect(from(["10.0.0.0/8", "fd00::/8"], remote, forwarded)).toBe(expected);
  });

  it("takes addresses and networks, and nothing else", () => {
    for (const good of ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]) expect(networksFault(good)).toBeUndefined();
    for (const bad of ["", "proxy", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/x", "1"])
      expect(networksFault(bad), bad).toEqual(expect.any(String));
  });
});
