import { describe, expect, it } from "vitest";
import { createControlPlane, createMemoryStore, egressAllowFault, guardedEgress } from "../../src/index.js";
import { canary, serve } from "./servers.js";

const NOT_ALLOWED = { code: "target_not_allowed" };

describe("an entry of the allow-list", () => {
  it.each([
    ...[
      "mcp.corp.example",
      "mcp.corp.example:8080",
      "localhost",
      "LOCALHOST:80",
      "my_service",
      "xn--bcher-kva.example:1",
    ],
    ...["10.0.0.7", "10.0.0.7:65535", "10.20.0.0/16", "10.20.0.0/16:8443", "127.0.0.1/32", "128.0.0.0/1"],
    ...["::1", "fd00::1", "[::1]", "[::1]:8080", "fd00::/8", "[fd00::/8]:443", "::ffff:127.0.0.1", "fd12:3456::/32"],
  ])("%s is good", (entry) => {
    expect(egressAllowFault(entry)).toBeUndefined();
  });

  it.each([
    ...[
      "",
      " ",
      " a.example",
      "a.example ",
      "https://a.example",
      "a.example/",
      "a.example/path",
      "a.example:",
      "a.example:0",
    ],
    ...[
      "a.example:65536",
      "a.example:x",
      "a.example:80:80",
      "*",
      "*.example",
      "a..example",
      "a.example.",
      "-a.example",
      "ü.example",
    ],
    ...[
      "127.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "256.0.0.1",
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0.0/a",
      "10.0.0.1/8",
    ],
    ...[
      "0.0.0.0/0",
      "::/0",
      "[::/0]:443",
      "10.0.0.0/-1",
      "fd00::/129",
      "fd00::1/8",
      "[fd00::1",
      "[10.0.0.1]:80",
      "[a.example]",
    ],
    ...[
      "::1%lo",
      "[::1%lo]:80",
      "user@a.example",
      "a.example,b.example",
      "a example",
      "a.example\n",
      "::1/",
      "localhost/8",
    ],
  ])("%j is refused with its reason", (entry) => {
    expect(egressAllowFault(entry)).toMatch(/^(is|has|would) [^\n]+$/);
    expect(() => guardedEgress({ allow: [entry] })).toThrow(RangeError);
  });
});

describe("what the allow-list opens", () => {
  it("is the target it names and nothing beside it", async () => {
    const bird = await canary();
    const port = await serve((_request, response) => response.end("inside"));
    const lookup = async () => ["127.0.0.1"];
    const reach = async (allow: string, url: string) => guardedEgress({ allow: [allow], lookup }).request({ url });
    const here = `http://mcp.corp.example:${port}/`;
    const literal = `http://127.0.0.1:${port}/`;

    for (const [allow, url] of [
      [`mcp.corp.example:${port}`, here],
      ["MCP.corp.example", here],
      [`mcp.corp.example:${port}`, `http://MCP.CORP.example.:${port}/`],
      ["127.0.0.1", here],
      [`127.0.0.1:${port}`, here],
      ["127.0.0.0/8", here],
      [`127.0.0.0/30:${port}`, here],
      ["127.0.0.1", literal],
      ["127.0.0.0/8", `http://2130706433:${port}/`],
      ["localhost", `http://localhost:${port}/`],
      ["127.0.0.1", `http://localhost:${port}/`],
    ] as const) {
      const { body } = await reach(allow, url);
      expect(Buffer.from(body).toString(), `${allow} ${url}`).toBe("inside");
    }

    for (const [allow, url] of [
      [`mcp.corp.example:${port}`, `http://mcp.corp.example:${bird.port}/`],
      [`mcp.corp.example:${bird.port + 1}`, `http://mcp.corp.example:${bird.port}/`],
      ["mcp.corp.example", `http://a.mcp.corp.example:${bird.port}/`],
      ["mcp.corp.example", `http://corp.example:${bird.port}/`],
      ["mcp.corp.example", `http://mcp.corp.example.evil.example:${bird.port}/`],
      ["mcp.corp.example", `http://127.0.0.1:${bird.port}/`],
      ["mcp.corp.example", `https://other.example:${bird.port}/`],
      [`127.0.0.1:${port}`, `http://127.0.0.1:${bird.port}/`],
      [`127.0.0.0/8:${port}`, `http://mcp.corp.example:${bird.port}/`],
      ["127.0.0.2", `http://127.0.0.1:${bird.port}/`],
      ["127.0.0.2/31", `http://127.0.0.1:${bird.port}/`],
      ["10.0.0.0/8", `http://mcp.corp.example:${bird.port}/`],
      ["127.0.0.1", `http://[::1]:${bird.port}/`],
      ["127.0.0.1", `http://[::ffff:127.0.0.1]:${bird.port}/`],
      ["::1", `http://127.0.0.1:${bird.port}/`],
      ["::ffff:127.0.0.1", `http://127.0.0.1:${bird.port}/`],
    ] as const) {
      await expect(reach(allow, url), `${allow} ${url}`).rejects.toMatchObject(NOT_ALLOWED);
    }
    expect(bird.connections()).toBe(0);
  });

  it.each([
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "fd00:ec2::254",
    "0.0.0.0",
    "::",
    "fe80::1",
    "ff02::1",
    "64:ff9b::1",
  ])("is never %s by a name that leads there", async (address) => {
    const egress = guardedEgress({ allow: ["mcp.corp.example"], lookup: async () => [address] });
    await expect(egress.request({ url: "http://mcp.corp.example/" })).rejects.toMatchObject(NOT_ALLOWED);
  });
});

describe("a control plane", () => {
  const config = () => ({
    store: createMemoryStore(),
    masterKey: crypto.getRandomValues(new Uint8Array(32)),
    baseUrl: "http://localhost:3000",
  });

  it("names a bad entry of egressAllow before it starts", () => {
    const create = () => createControlPlane({ ...config(), egressAllow: ["a.example", "10.0.0.1/8"] });
    expect(create).toThrow(/\n- egressAllow entry "10\.0\.0\.1\/8" has address bits beyond its prefix$/);
  });

  it("starts with a list, and with an egress of the host's own", () => {
    expect(createControlPlane({ ...config(), egressAllow: ["10.0.0.0/8", "mcp.internal:8080"] })).toBeDefined();
    expect(createControlPlane({ ...config(), egress: guardedEgress() })).toBeDefined();
  });
});
