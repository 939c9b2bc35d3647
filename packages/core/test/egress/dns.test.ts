import { describe, expect, it } from "vitest";
import { dnsServerFault, resolverDns } from "../../src/index.js";
import { DnsServer } from "../helpers/dns-server.js";

describe("resolverDns", () => {
  it("gives every text of a name, put together from its parts", async () => {
    const server = await DnsServer.start();
    server.publish("two.example.com", "one", ["in ", "parts"]);
    const dns = resolverDns({ servers: [server.address] });
    expect([...(await dns.txt("two.example.com"))].sort()).toEqual(["in parts", "one"]);
  });

  it("gives nothing for names that do not exist or have no such record", async () => {
    const server = await DnsServer.start();
    server.publish("bare.example.com");
    const dns = resolverDns({ servers: [server.address] });
    expect(await dns.txt("nowhere.example.com")).toEqual([]);
    expect(await dns.txt("bare.example.com")).toEqual([]);
  });

  it("rejects when the server fails, is silent or is not there", async () => {
    const server = await DnsServer.start();
    const dns = resolverDns({ servers: [server.address], timeoutMs: 200 });
    server.publish("there.example.com", "text");
    server.manner = "fails";
    await expect(dns.txt("there.example.com")).rejects.toThrow();
    server.manner = "is silent";
    await expect(dns.txt("there.example.com")).rejects.toThrow();
    await expect(resolverDns({ servers: ["127.0.0.1:1"], timeoutMs: 200 }).txt("there.example.com")).rejects.toThrow();
    server.manner = "answers";
    expect(await dns.txt("there.example.com")).toEqual(["text"]);
  });
});

describe("dnsServerFault", () => {
  it.each(["127.0.0.1", "192.0.2.53:5353", "2001:db8::53", "[2001:db8::53]", "[2001:db8::53]:53"])(
    "takes %s",
    (entry) => {
      expect(dnsServerFault(entry)).toBeUndefined();
    },
  );

  it.each([
    "",
    "ns.example.com",
    "1.2.3",
    "1.2.3.4:0",
    "1.2.3.4:65536",
    "[1.2.3.4]",
    "[::1]:x",
    "::1]:53",
    "dns://1.1.1.1",
  ])("refuses %j", (entry) => {
    expect(dnsServerFault(entry)).toMatch(/^must/);
  });
});
