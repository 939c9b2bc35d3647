import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type EgressSettings, guardedEgress } from "../../src/index.js";
import { authority, type Identity, issue } from "./certificates.js";
import { canary, listening, serve } from "./servers.js";

let ca: Identity;
let other: Identity;
beforeAll(async () => {
  ca = await authority();
  other = await authority();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** An https server with this certificate. It returns the name that it was called by. */
async function secure(identity: Identity) {
  return listening(
    createServer(identity, (request: IncomingMessage, response: ServerResponse) => {
      const { servername, alpnProtocol } = request.socket as TLSSocket;
      response.end(JSON.stringify({ host: request.headers.host, servername, alpnProtocol }));
    }),
  );
}

function client(settings: EgressSettings = {}) {
  return guardedEgress({ allow: ["127.0.0.1"], ca: [ca.cert], lookup: async () => ["127.0.0.1"], ...settings });
}

describe("TLS", () => {
  it("trusts a certificate of a given authority, by name and by address", async () => {
    const port = await secure(await issue(ca, ["service.example", "127.0.0.1"]));
    for (const [host, servername] of [
      ["service.example", "service.example"],
      ["service.example.", "service.example"],
      ["127.0.0.1", false],
    ] as const) {
      const { body } = await client().request({ url: `https://${host}:${port}/` });
      const seen = { host: `${host.replace(/\.$/, "")}:${port}`, servername, alpnProtocol: "http/1.1" };
      expect(JSON.parse(Buffer.from(body).toString())).toEqual(seen);
    }
  });

  it.each<[string, () => Promise<Identity>, EgressSettings]>([
    ["of another authority", () => issue(other, ["service.example"]), {}],
    ["of nobody that is trusted by default", () => issue(ca, ["service.example"]), { ca: [] }],
    ["that is its own authority", async () => other, {}],
    ["for another name", () => issue(ca, ["other.example"]), {}],
    ["for the address only", () => issue(ca, ["127.0.0.1"]), {}],
    ["that has expired", () => issue(ca, ["service.example"], new Date("2020-01-01T00:00:00Z")), {}],
  ])("refuses a certificate %s, whatever NODE_TLS_REJECT_UNAUTHORIZED says", async (_name, identity, settings) => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const port = await secure(await identity());
    const call = client(settings).request({ url: `https://service.example:${port}/` });
    await expect(call).rejects.toMatchObject({ code: "connector_error", members: { reason: "tls" } });
  });

  it("fails with a server that speaks none, and is cut off in time by one that says nothing", async () => {
    const plain = await serve((_request, response) => response.end());
    const call = client().request({ url: `https://service.example:${plain}/` });
    await expect(call).rejects.toMatchObject({ members: { reason: "tls" } });
    const { port } = await canary();
    const silent = client().request({ url: `https://service.example:${port}/`, timeoutMs: 100 });
    await expect(silent).rejects.toMatchObject({ code: "connector_timeout" });
  });

  it("never gives way to plain http, even where that is allowed", async () => {
    let arrived = 0;
    const plain = await serve((_request, response) => {
      arrived += 1;
      response.end();
    });
    const identity = await issue(ca, ["service.example"]);
    const port = await listening(
      createServer(identity, (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(302, { location: `http://127.0.0.1:${plain}/` }).end();
      }),
    );
    const call = client().request({ url: `https://service.example:${port}/`, redirects: 3 });
    await expect(call).rejects.toMatchObject({ code: "target_not_allowed" });
    expect(arrived).toBe(0);
  });
});
