import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createPlane, createScene } from "@reeve/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reeveListener } from "../src/index.js";

const ASSETS = "/api/v1/ai-assets";

let plane: ReturnType<typeof createPlane>;
let token: string;
let server: Server | undefined;

beforeEach(async () => {
  plane = createPlane();
  token = (await createScene(plane, "host")).owner.token;
});

afterEach(stop);

async function stop(): Promise<void> {
  const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server?.closeAllConnections();
  await closed;
  server = undefined;
}

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
}

async function serveAnew(listener: RequestListener): Promise<void> {
  await stop();
  await serve(listener);
}

async function ask(method: string, path: string, body?: string) {
  const { port } = (server as Server).address() as AddressInfo;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body ? { body } : {}) });
  return { status: answer.status, location: answer.headers.get("location"), text: await answer.text() };
}

const host: RequestListener = (request, response) => void response.end(`the host's ${request.url}`);

describe("the listener", () => {
  it("answers operations and hands all else to the host, below /api/v1 too", async () => {
    await serve(reeveListener(plane.controlPlane, host));
    expect(await ask("POST", ASSETS, '{"name":"x"}')).toMatchObject({ status: 201 });
    expect((await ask("GET", "/api/v1/orders?page=2")).text).toBe("the host's /api/v1/orders?page=2");
    expect((await ask("PUT", ASSETS)).text).toBe(`the host's ${ASSETS}`);
    expect((await ask("GET", "/")).text).toBe("the host's /");
  });

  it("stands under a prefix, and knows it in what it answers", async () => {
    await serve(reeveListener(plane.controlPlane, host, { prefix: "/governance/" }));
    const made = await ask("POST", `/governance${ASSETS}`, '{"name":"x"}');
    expect(made.location).toMatch(/^\/governance\/api\/v1\/ai-assets\/ast_/);
    for (const path of [ASSETS, `/governanceX${ASSETS}`, "/governance"])
      expect((await ask("GET", path)).text, path).toBe(`the host's ${path}`);
  });

  it("takes the body that a parser of the host has read, and refuses one of which nothing was kept", async () => {
    const behind = (keep: (bytes: Buffer) => object): RequestListener => {
      const mounted = reeveListener(plane.controlPlane, host);
      return async (request, response) => mounted(Object.assign(request, keep(await buffer(request))), response);
    };
    await serve(behind((bytes) => ({ body: JSON.parse(bytes.toString()) })));
    expect(JSON.parse((await ask("POST", ASSETS, '{"name":"parsed"}')).text).name).toBe("parsed");
    await serveAnew(behind((bytes) => ({ body: {}, rawBody: bytes })));
    expect(JSON.parse((await ask("POST", ASSETS, '{"name":"kept"}')).text).name).toBe("kept");
    await serveAnew(behind((bytes) => ({ body: {}, rawBody: bytes.toString() })));
    expect(JSON.parse((await ask("POST", ASSETS, '{"name":"kept as text"}')).text).name).toBe("kept as text");
    await serveAnew(behind(() => ({})));
    expect((await ask("POST", ASSETS, '{"name":"lost"}')).status).toBe(500);
  });

  it("answers everything when nothing stands behind it", async () => {
    await serve(reeveListener(plane.controlPlane, undefined, { exclusive: true }));
    expect(JSON.parse((await ask("GET", "/api/v1/orders")).text).code).toBe("route_not_found");
    expect(JSON.parse((await ask("PUT", ASSETS)).text).code).toBe("method_not_allowed");
    expect(await ask("GET", "/elsewhere")).toMatchObject({ status: 404, text: "" });
  });

  it("refuses a second mount at one place, and takes one at another", () => {
    const mounted = (otherwise: RequestListener, prefix?: string) =>
      reeveListener(plane.controlPlane, otherwise, { prefix });
    const both = mounted(mounted(host, "/governance"));
    expect(() => mounted(both, "/governance/")).toThrow("Reeve is mounted twice at /governance");
    expect(() => mounted(both)).toThrow("Reeve is mounted twice at /;");
  });

  it.each([
    ["governance", "must begin with a slash"],
    ["/org/:org", "has parameters"],
    ["/a//b", "is no path"],
    ["/a?b", "is no path"],
  ])("refuses the prefix %s at once: it %s", (prefix, fault) => {
    expect(() => reeveListener(plane.controlPlane, host, { prefix })).toThrow(fault);
  });
});
