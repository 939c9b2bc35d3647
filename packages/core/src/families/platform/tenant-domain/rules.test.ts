import { describe, expect, it } from "vitest";
import { challengeOf, readDomain } from "./rules.js";

const read = (text: string) => readDomain(text, "reeve.example.net");

describe("readDomain", () => {
  it.each([
    ["ai.example.com", "ai.example.com"],
    ["example.com", "example.com"],
    ["  AI.Example.COM. ", "ai.example.com"],
    ["a.b.c.example.co.uk", "a.b.c.example.co.uk"],
    ["bücher.example.com", "xn--bcher-kva.example.com"],
    ["BÜCHER.example.com", "xn--bcher-kva.example.com"],
    ["xn--bcher-kva.example.com", "xn--bcher-kva.example.com"],
    ["例え.テスト.example.com", "xn--r8jz45g.xn--zckzah.example.com"],
    ["ａｉ。example.com", "ai.example.com"],
    ["someone.github.io", "someone.github.io"],
    ["net.example.net", "net.example.net"],
    ["notreeve.example.net", "notreeve.example.net"],
    [`${"a".repeat(63)}.example.com`, `${"a".repeat(63)}.example.com`],
  ])("takes %s as %s", async (text, domain) => {
    expect(await read(text)).toEqual({ domain });
  });

  it.each([
    ["", "Not a domain name"],
    ["com", "public suffix cannot"],
    ["co.uk", "public suffix cannot"],
    ["github.io", "public suffix cannot"],
    ["s3.amazonaws.com", "public suffix cannot"],
    ["localhost", "does not end in a public suffix"],
    ["reeve.localhost", "does not end in a public suffix"],
    ["ai.corp.internal", "does not end in a public suffix"],
    ["printer.local", "does not end in a public suffix"],
    ["ai.example", "does not end in a public suffix"],
    ["ai.invalid", "does not end in a public suffix"],
    ["ai.test", "does not end in a public suffix"],
    ["1.0.0.127.in-addr.arpa", "does not end in a public suffix"],
    ["expyuzz4wqqyqhjn.onion", "does not end in a public suffix"],
    ["127.0.0.1", "address"],
    ["0x7f.1", "address"],
    ["2130706433", "address"],
    ["[::1]", "Not a domain name"],
    ["::1", "Not a domain name"],
    ["reeve.example.net", "host of the platform"],
    ["REEVE.example.net.", "host of the platform"],
    ["acme.reeve.example.net", "host of the platform"],
    ["*.example.com", "Not a domain name"],
    ["_dmarc.example.com", "Not a domain name"],
    ["-a.example.com", "Not a domain name"],
    ["a-.example.com", "Not a domain name"],
    ["a..example.com", "Not a domain name"],
    [".example.com", "Not a domain name"],
    ["example.com..", "Not a domain name"],
    ["https://example.com", "Not a domain name"],
    ["example.com:443", "Not a domain name"],
    ["example.com/x", "Not a domain name"],
    ["user@example.com", "Not a domain name"],
    ["a b.example.com", "Not a domain name"],
    ["a%2e.example.com", "Not a domain name"],
    ["exa\u0000mple.com", "Not a domain name"],
    ["example.com\u202e", "Not a domain name"],
    ["xn--.example.com", "Not a domain name"],
    [`${"a".repeat(64)}.example.com`, "Not a domain name"],
    [`${"abcdefgh.".repeat(26)}example.com`, "Not a domain name"],
  ])("refuses %j: %s", async (text, fault) => {
    expect(await read(text)).toEqual({ fault: expect.stringContaining(fault) });
  });
});

describe("challengeOf", () => {
  it("names the record in full, within the length of a name", async () => {
    const longest = `${"abcdefg.".repeat(28)}example.com`;
    expect(await read(longest)).toEqual({ domain: longest });
    expect(challengeOf({ domain: longest, token: "dom_1" }).name.length).toBeLessThanOrEqual(253);
    expect(challengeOf({ domain: "ai.example.com", token: "dom_1" })).toEqual({
      type: "TXT",
      name: "_reeve-challenge.ai.example.com",
      value: "reeve-verification=dom_1",
    });
  });
});
