import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { ControlPlane, NeutralRequest, NeutralResponse } from "@reeve/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HttpContractOptions, RunningServer } from "./options.js";
import { prepare, type Setting } from "./setting.js";
import { exchange } from "./wire.js";

const ASSETS = "/api/v1/ai-assets";
const PING = "/api/v1/monitor/ping";

/** A server whose control plane reports its answers and the failures it logs. */
interface Watched {
  readonly server: RunningServer;
  readonly controlPlane: ControlPlane;
  readonly setting: Setting;
  readonly asked: NeutralRequest[];
  readonly answers: Promise<NeutralResponse | undefined>[];
  readonly failures: object[];
}

async function startWatched(options: HttpContractOptions): Promise<Watched> {
  const failures: object[] = [];
  const quiet = () => undefined;
  const logger = { error: (detail: object) => failures.push(detail), warn: quiet, info: quiet, debug: quiet };
  const { controlPlane, setting } = await prepare({ logger });
  const asked: NeutralRequest[] = [];
  const answers: Promise<NeutralResponse | undefined>[] = [];
  const handle: ControlPlane["handle"] = (request) => {
    const answer = controlPlane.handle(request);
    asked.push(request);
    answers.push(answer);
    return answer;
  };
  const server = await options.start({ controlPlane: { ...controlPlane, handle }, prefix: "" });
  return { server, controlPlane, setting, asked, answers, failures };
}

/**
 * Declares how a server treats connections: it keeps them, accepts pipelined requests and survives clients that
 * disconnect.
 */
export function describeConnections(options: HttpContractOptions): void {
  let watched: Watched;
  beforeEach(async () => {
    watched = await startWatched(options);
  });
  afterEach(async () => {
    await watched.server.close();
    await watched.controlPlane.close();
  });

  it("tells who asks", async () => {
    await ask(watched, undefined, "GET", PING);
    expect(watched.asked[0]?.remoteAddress).toMatch(/^(::ffff:)?127\.0\.0\.1$/);
  });

  it("keeps the connection whatever the answer", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses: unknown[] = [];
    for (const [method, path, body] of [
      ["POST", ASSETS, '{"name":"kept"}'],
      ["POST", ASSETS, '{"name":'],
      ["POST", ASSETS, "[".repeat(100_000)],
      ["DELETE", `${ASSETS}/none`, "{}"],
      ["PUT", PING, "a body nobody reads".repeat(5_000)],
      ["POST", "/users/42", "the host's".repeat(5_000)],
      ["GET", PING, undefined],
    ] as const) {
      statuses.push(await ask(watched, agent, method, path, body));
    }
    agent.destroy();
    expect(statuses).toEqual([201, 400, 400, 404, 405, 404, 200].map((status, at) => ({ status, reused: at > 0 })));
  });

  it("answers pipelined requests in their order", async () => {
    const body = '{"name":"piped"}';
    const post = `POST ${ASSETS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${watched.setting.owner}\r\nX-Request-Id: second\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const get = (id: string, path: string, more = "") =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${more}\r\n`;
    const text = get("first", PING) + post + get("third", ASSETS) + get("fourth", PING, "Connection: close\r\n");
    const received = (await exchange(watched.server.url, Buffer.from(text))).toString("latin1");
    const answers = [...received.matchAll(/HTTP\/1\.1 (\d{3})[\s\S]*?\r\nx-request-id: (\w+)\r\n/gi)];
    expect(answers.map(([, status, id]) => `${id} ${status}`)).toEqual([
      "first 200",
      "second 201",
      "third 401",
      "fourth 200",
    ]);
  });

  it.each([
    ["in the middle of a body with a length", `Content-Length: 1000\r\n\r\n{"name":"cut`],
    ["in the middle of a body in chunks", `Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n`],
    ["before the body", "Content-Length: 1000\r\n\r\n"],
    ["before the answer", `Content-Length: 0\r\n\r\n`],
    ["after a chunk that is none", `Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\nzzz\r\n`],
  ])("survives a client that goes away %s", async (_name, rest) => {
    const text = `POST ${ASSETS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${watched.setting.owner}\r\n${rest}`;
    await leave(watched, text);
    await Promise.allSettled(watched.answers);
    const statuses = (await Promise.all(watched.answers)).map((answer) => answer?.status);
    expect(statuses).toEqual([rest.startsWith("Content-Length: 0") ? 201 : 400]);
    expect(watched.failures, "logged as failures of the service").toEqual([]);
    expect(await ask(watched, undefined, "GET", PING)).toMatchObject({ status: 200 });
  });

  it("survives a body of 16 MiB", async () => {
    const size = 16 * 1_024 * 1_024;
    const head = `POST ${ASSETS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`;
    // No server reads that much, so the connection may be reset before the answer arrives.
    await exchange(watched.server.url, Buffer.concat([Buffer.from(head), Buffer.alloc(size, 0x20)])).catch(
      () => undefined,
    );
    expect((await watched.answers[0])?.status).toBe(413);
    expect(await ask(watched, undefined, "GET", PING)).toMatchObject({ status: 200 });
  });

  it("finishes what is under way when the control plane closes, and refuses what comes after", async () => {
    const { owner } = watched.setting;
    const body = '{"name":"under way"}';
    const head = `POST ${ASSETS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${owner}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { hostname, port } = new URL(watched.server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const received: Buffer[] = [];
    socket.on("data", (chunk) => received.push(chunk)).write(head + body.slice(0, 5));
    const ended = new Promise((resolve) => socket.on("close", resolve));
    await until(() => watched.answers.length === 1);
    const closed = watched.controlPlane.close();
    expect(await ask(watched, undefined, "GET", PING)).toMatchObject({ status: 503 });
    socket.write(body.slice(5));
    await ended;
    await closed;
    expect(Buffer.concat(received).toString("latin1", 0, 12)).toBe("HTTP/1.1 201");
  });
}

/** Sends part of a request, waits until the control plane has it, and disconnects. */
async function leave({ server, answers }: Watched, text: string): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
  socket.on("error", () => undefined);
  await until(() => answers.length === 1);
  socket.destroy();
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function ask(
  { server, setting }: Watched,
  agent: Agent | undefined,
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number | undefined; reused: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${setting.owner}`,
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": body.length }),
    };
    const sent = httpRequest(server.url + path, { method, headers, agent }, (answer: IncomingMessage) => {
      answer.resume().on("end", () => resolve({ status: answer.statusCode, reused: sent.reusedSocket }));
    });
    sent.on("error", reject).end(body);
  });
}
