import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { guardedEgress } from "../../src/index.js";
import { canary, serve } from "./servers.js";

const text = (body: Uint8Array) => Buffer.from(body).toString();

/** Echoes the request. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, url, rawHeaders } = request;
  response.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString("base64") }));
}

describe("a request", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)("goes out as it was given: %s", async (method) => {
    const port = await serve(echo);
    const answer = await guardedEgress({ allow: [`127.0.0.1:${port}`] }).request({
      url: `http://127.0.0.1:${port}/a%2fb;c?d=%0d%0a&e=ü`,
      method,
      headers: { "X-Key": "abc", "X-Latin": "caf\u00e9" },
      body: new Uint8Array([0, 255, 10]),
    });
    const seen = JSON.parse(text(answer.body)) as { rawHeaders: string[] } & Record<string, string>;
    expect(seen).toMatchObject({ method, url: "/a%2fb;c?d=%0d%0a&e=%C3%BC", body: "AP8K" });
    const sent = { "x-key": "abc", "x-latin": "caf\u00e9", host: `127.0.0.1:${port}` };
    for (const [name, value] of Object.entries(sent)) {
      expect(seen.rawHeaders[seen.rawHeaders.indexOf(name) + 1]).toBe(value);
    }
  });

  it("keeps the framing to itself whatever headers the caller names", async () => {
    const port = await serve(echo);
    const { body } = await guardedEgress({ allow: [`127.0.0.1:${port}`] }).request({
      url: `http://127.0.0.1:${port}/`,
      method: "POST",
      headers: {
        Host: "inner.example",
        "Content-Length": "1",
        "Transfer-Encoding": "chunked",
        Connection: "upgrade",
        Upgrade: "h2c",
        Expect: "100-continue",
        "Accept-Encoding": "gzip",
        "Proxy-Authorization": "Basic x",
      },
      body: "abcdef",
    });
    const { rawHeaders, body: arrived } = JSON.parse(text(body)) as { rawHeaders: string[]; body: string };
    const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names.sort()).toEqual(["accept-encoding", "connection", "content-length", "host"]);
    expect(rawHeaders).toContain(`127.0.0.1:${port}`);
    expect(text(Buffer.from(arrived, "base64"))).toBe("abcdef");
  });

  it("gets status, headers and body of any answer", async () => {
    const port = await serve((request, response) => {
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
      response.writeHead(Number(request.url?.slice(1)), { "X-Mixed": "yes", location: "/elsewhere" });
      response.end(request.method === "HEAD" ? undefined : "said");
    });
    const egress = guardedEgress({ allow: [`127.0.0.1:${port}`] });
    for (const status of [200, 204, 302, 304, 404, 429, 500, 599]) {
      const { body, ...answer } = await egress.request({ url: `http://127.0.0.1:${port}/${status}` });
      expect(answer).toMatchObject({ status, headers: { "x-mixed": "yes", "set-cookie": "a=1, b=2" } });
      expect(text(body)).toBe(status === 204 || status === 304 ? "" : "said");
    }
    const head = await egress.request({ url: `http://127.0.0.1:${port}/200`, method: "HEAD" });
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });
});

describe("a redirect", () => {
  /** A server that redirects `/<status>/<path>` to `to`, echoes other requests, and counts. */
  async function site(to: string, host = "127.0.0.1") {
    const seen: {
      method: string | undefined;
      url: string | undefined;
      headers: IncomingMessage["headers"];
      body: string;
    }[] = [];
    const port = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      const [, status] = /^\/(\d{3})$/.exec(request.url ?? "") ?? [];
      if (status) response.writeHead(Number(status), { location: to }).end("moved");
      else response.end("arrived");
    }, host);
    return { port, seen, url: (path: string) => `http://${host}:${port}${path}` };
  }
  const credentials = {
    authorization: "Bearer a",
    cookie: "a=b",
    "x-api-key": "c",
    "private-token": "d",
    accept: "text/plain",
  };

  it("is the answer unless following was asked for", async () => {
    const { port, seen, url } = await site("/there");
    const { status, headers } = await guardedEgress({ allow: [`127.0.0.1:${port}`] }).request({ url: url("/302") });
    expect([status, headers.location, seen.length]).toEqual([302, "/there", 1]);
  });

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [303, "HEAD", "HEAD", ""],
    [307, "POST", "POST", "text"],
    [308, "PUT", "PUT", "text"],
    [301, "DELETE", "DELETE", ""],
  ] as const)(
    "%i turns a %s into a %s at the same origin and keeps its headers",
    async (status, method, then, body) => {
      const { port, seen, url } = await site("/there#part");
      const sent = method === "HEAD" || method === "DELETE" ? {} : { body: "text" };
      await guardedEgress({ allow: [`127.0.0.1:${port}`] }).request({
        url: url(`/${status}`),
        method,
        headers: credentials,
        redirects: 1,
        ...sent,
      });
      expect(seen[1]).toMatchObject({ method: then, url: "/there", body, headers: credentials });
    },
  );

  it.each([
    ["where nobody listens", "http://127.0.0.1:1/"],
    ["to an address that may not be called", "http://127.0.0.9/"],
    ["to a name that is not there", "http://nowhere.invalid/"],
  ])("of a write that leads %s is not told as a write that was not sent", async (_what, to) => {
    const { port, url } = await site(to);
    const egress = guardedEgress({ allow: [`127.0.0.1:${port}`, "127.0.0.1:1", "nowhere.invalid"] });
    const ask = (method: "GET" | "POST") =>
      egress.request({ url: url("/303"), method, redirects: 1 }).then(
        () => undefined,
        (error: { code: string; members?: { reason?: string } }) => error.members?.reason ?? error.code,
      );
    expect(await ask("POST")).toBe("redirect");
    expect(await ask("GET")).not.toBe("redirect");
  });

  it.each([
    ["another port", "127.0.0.1"],
    ["another host", "127.0.0.2"],
  ])("takes nothing that could be a credential to %s", async (_name, host) => {
    const there = await site("/", host);
    const here = await site(there.url("/there"));
    const egress = guardedEgress({ allow: ["127.0.0.0/8"] });
    const { status } = await egress.request({ url: here.url("/302"), headers: credentials, redirects: 1 });
    expect(status).toBe(200);
    expect(there.seen[0]?.headers).toEqual({
      accept: "text/plain",
      "accept-encoding": "identity",
      connection: "close",
      host: `${host}:${there.port}`,
    });
  });

  it("does not take a body to another origin", async () => {
    const there = await site("/", "127.0.0.2");
    const here = await site(there.url("/there"));
    const egress = guardedEgress({ allow: ["127.0.0.0/8"] });
    const call = egress.request({ url: here.url("/307"), method: "POST", body: "client_secret=a", redirects: 3 });
    await expect(call).rejects.toMatchObject({ code: "connector_error", members: { reason: "redirect" } });
    expect(there.seen).toEqual([]);
  });

  it("is followed three times at most, whatever was asked for", async () => {
    const { port, seen, url } = await site("/302");
    const egress = guardedEgress({ allow: [`127.0.0.1:${port}`] });
    for (const [redirects, requests] of [
      [1, 2],
      [3, 4],
      [50, 4],
    ] as const) {
      seen.length = 0;
      const call = egress.request({ url: url("/302"), redirects });
      await expect(call).rejects.toMatchObject({ code: "connector_error", members: { reason: "redirect" } });
      expect(seen).toHaveLength(requests);
    }
  });

  it.each([
    ["127.0.0.1", (port: number) => `http://127.0.0.1:${port}/`],
    ["localhost", (port: number) => `http://localhost:${port}/`],
    ["a decimal address", (port: number) => `http://2130706433:${port}/`],
    ["a mapped address", (port: number) => `http://[::ffff:7f00:1]:${port}/`],
    ["the same scheme, another host", (port: number) => `//127.0.0.1:${port}/`],
    ["metadata", () => "http://169.254.169.254/latest/meta-data/"],
    ["a user", (port: number) => `http://user:word@127.0.0.2:${port}/`],
    ["a file", () => "file:///etc/passwd"],
    ["data", () => "data:text/plain,a"],
  ])("to %s is refused", async (_name, to) => {
    const bird = await canary();
    const { url } = await site(to(bird.port), "127.0.0.2");
    const egress = guardedEgress({ allow: ["127.0.0.2"], lookup: async () => ["127.0.0.1"] });
    const call = egress.request({ url: url("/302"), redirects: 3 });
    await expect(call).rejects.toMatchObject({ code: "target_not_allowed" });
    expect(bird.connections()).toBe(0);
  });

  it("to what is no URL fails", async () => {
    const { port, url } = await site("http://[");
    const call = guardedEgress({ allow: [`127.0.0.1:${port}`] }).request({ url: url("/302"), redirects: 1 });
    await expect(call).rejects.toMatchObject({ code: "connector_error", members: { reason: "redirect" } });
  });
});
