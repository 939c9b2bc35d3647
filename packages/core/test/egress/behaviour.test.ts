import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { guardedEgress, guardedFetch, type ReeveError } from "../../src/index.js";
import { flood, serve, speak } from "./servers.js";

const HEAD = "HTTP/1.1 200 OK\r\n";
const allowing = (port: number) => guardedEgress({ allow: [`127.0.0.1:${port}`] });

/** The error of a call to a server on this port. */
async function failure(port: number, limits: { timeoutMs?: number; maxBytes?: number } = {}): Promise<ReeveError> {
  const answer = allowing(port).request({ url: `http://127.0.0.1:${port}/`, ...limits });
  return answer.then(
    () => expect.unreachable("it was answered"),
    (error: ReeveError) => error,
  );
}

/** Writes a little at a time until the other side closes. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on("close", () => clearInterval(timer));
}

describe("a target that does not answer as it should", () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ["resets", (socket) => socket.resetAndDestroy(), "broken_off"],
    ["hangs up", (socket) => socket.end(), "broken_off"],
    ["hangs up within the headers", (socket) => socket.end(`${HEAD}content-ty`), "broken_off"],
    ["sends less than it said", (socket) => socket.end(`${HEAD}content-length: 100\r\n\r\n{"a":`), "broken_off"],
    ["breaks off a chunk", (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nff\r\nabc`), "broken_off"],
    [
      "resets within the body",
      (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\nabc`, () => socket.resetAndDestroy()),
      "broken_off",
    ],
    ["speaks something else", (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"), "protocol"],
    ["has a status below 100", (socket) => socket.end("HTTP/1.1 42 Low\r\ncontent-length: 0\r\n\r\n"), "protocol"],
    ["has a status above 599", (socket) => socket.end("HTTP/1.1 999 High\r\ncontent-length: 0\r\n\r\n"), "protocol"],
    [
      "repeats the length otherwise",
      (socket) => socket.end(`${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
      "protocol",
    ],
    [
      "has length and chunks",
      (socket) => socket.end(`${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
      "protocol",
    ],
    ["folds a header", (socket) => socket.end(`${HEAD}a: 1\r\n 2: 3\r\ncontent-length: 0\r\n\r\n`), "protocol"],
    [
      "sends endless headers",
      (socket) => flood(socket, Buffer.from(`${HEAD}a: ${"b".repeat(65_536)}`), 1e8),
      "protocol",
    ],
    [
      "switches protocols unasked",
      (socket) => socket.write("HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      "protocol",
    ],
    [
      "compresses unasked",
      (socket) => socket.end(`${HEAD}content-encoding: br\r\ncontent-length: 1\r\n\r\na`),
      "encoding",
    ],
  ])("%s", async (_name, script, reason) => {
    const port = await speak(script);
    expect(await failure(port, { timeoutMs: 5_000 })).toMatchObject({
      code: "connector_error",
      status: 502,
      members: { reason },
    });
  });

  it.each<[string, (socket: Socket) => void]>([
    ["never answers", () => {}],
    ["stops after the headers", (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\n`)],
    ["stops within the body", (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\nabc`)],
    ["drips headers", (socket) => socket.write(`${HEAD}a: `, () => drip(socket, "a"))],
    ["drips a body", (socket) => socket.write(`${HEAD}\r\n`, () => drip(socket, "a"))],
    ["says endlessly that it goes on", (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")],
  ])("has its time and no more when it %s", async (_name, script) => {
    let closed: Promise<unknown> | undefined;
    const port = await speak((socket) => {
      closed = new Promise((resolve) => socket.on("close", resolve));
      script(socket);
    });
    expect(await failure(port, { timeoutMs: 150 })).toMatchObject({ code: "connector_timeout", status: 504 });
    await closed;
  });

  it("has its time when not even its name is answered", async () => {
    const egress = guardedEgress({ lookup: () => new Promise(() => {}) });
    const call = egress.request({ url: "https://slow.example/", timeoutMs: 50 });
    await expect(call).rejects.toMatchObject({ code: "connector_timeout" });
  });

  it.each([
    ["unresolved", "https://nobody.example/", async () => Promise.reject(new Error("ENOTFOUND nobody.example"))],
    ["unresolved", "https://empty.example/", async () => []],
    ["unreachable", "http://closed.example:1/", async () => ["127.0.0.1"]],
  ])("is %s at %s", async (reason, url, lookup) => {
    const egress = guardedEgress({ allow: ["127.0.0.1:1"], lookup });
    await expect(egress.request({ url })).rejects.toMatchObject({ code: "connector_error", members: { reason } });
  });

  it("is called at its next address when the first is closed", async () => {
    const port = await serve((_request, response) => response.end("here"));
    const egress = guardedEgress({ allow: ["127.0.0.0/8"], lookup: async () => ["127.0.0.9", "127.0.0.1"] });
    const { body } = await egress.request({ url: `http://two.example:${port}/` });
    expect(Buffer.from(body).toString()).toBe("here");
  });
});

describe("an answer without end", () => {
  it("of 10 GB is cut at the cap", async () => {
    let written = () => 0;
    let closed: Promise<unknown> | undefined;
    const port = await speak((socket) => {
      closed = new Promise((resolve) => socket.on("close", resolve));
      socket.write(`${HEAD}content-length: 10000000000\r\n\r\n`);
      written = flood(socket, Buffer.alloc(65_536, "a"), 1e10);
    });
    expect(await failure(port, { maxBytes: 100_000 })).toMatchObject({ members: { reason: "too_large" } });
    await closed;
    expect(written()).toBeLessThan(20_000_000); // the size of two socket buffers
  });

  it("is 1 MiB at most unless asked otherwise, and exactly the cap is not too much", async () => {
    const port = await serve((request, response) => response.end(Buffer.alloc(Number(request.url?.slice(1)))));
    const egress = allowing(port);
    const read = async (size: number, maxBytes?: number) =>
      (await egress.request({ url: `http://127.0.0.1:${port}/${size}`, ...(maxBytes ? { maxBytes } : {}) })).body
        .length;
    expect(await read(1_048_576)).toBe(1_048_576);
    await expect(read(1_048_577)).rejects.toMatchObject({ members: { reason: "too_large" } });
    expect(await read(1_048_577, 2_000_000)).toBe(1_048_577);
    await expect(read(11, 10)).rejects.toMatchObject({ members: { reason: "too_large" } });
  });

  it("in a gzip bomb is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    const port = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("identity");
      response.writeHead(200, { "content-encoding": "gzip", "content-length": bomb.length }).end(bomb);
    });
    expect(await failure(port)).toMatchObject({ code: "connector_error", members: { reason: "encoding" } });
  });

  it("that nobody reads is let go at the end of its lifetime", async () => {
    let closed: Promise<unknown> | undefined;
    const port = await speak((socket) => {
      closed = new Promise((resolve) => socket.on("close", resolve));
      socket.write(`${HEAD}\r\n`);
    });
    const response = await guardedFetch(allowing(port), { lifetimeMs: 500 })(`http://127.0.0.1:${port}/`);
    await closed;
    await expect(response.text()).rejects.toMatchObject({ code: "connector_timeout" });
  });
});

describe("a refusal", () => {
  it("quotes nothing of the target", async () => {
    const secrets = ["s3cr3t", "127.0.0.1", "inner.example"];
    const script = (socket: Socket) => socket.end("HTTP/1.1 999 s3cr3t\r\nx-s3cr3t: s3cr3t\r\n\r\ns3cr3t");
    const ports = [await speak(script), await speak((socket) => socket.end("s3cr3t")), 1];
    for (const port of ports) {
      const egress = guardedEgress({ allow: ["127.0.0.1"], lookup: async () => ["127.0.0.1"] });
      const url = `http://inner.example:${port}/s3cr3t`;
      const error = await egress.request({ url, headers: { authorization: "s3cr3t" } }).catch((thrown) => thrown);
      const { code, detail, message, members, stack, cause } = error as ReeveError;
      expect(code).toBe("connector_error");
      expect(cause).toBeUndefined();
      for (const secret of secrets) expect(JSON.stringify({ detail, message, members, stack })).not.toContain(secret);
    }
  });
});
