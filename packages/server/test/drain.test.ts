import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@reeve/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { ServerProcess } from "./server-process.js";

const CLIENTS = 32;
const person = { username: "owner@acme.example", password: "quiet harbour at four" };

interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

/** One request through the connections of an agent. Rejects on a reset. */
function ask(port: number, agent: Agent, path: string, token?: string, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const sent = request({ host: "127.0.0.1", port, agent, path, method: body ? "POST" : "GET", headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part));
      const { statusCode: status = 0 } = answer;
      answer.on("end", () => resolve({ status, connection: answer.headers.connection, body: text }));
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}

it.each(["fastify", "express"])(
  "stops under %s without a reset of any of its busy clients",
  async (adapter) => {
    const directory = mkdtempSync(join(tmpdir(), "reeve-drain-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const port = await freePort();
    const settings = { PORT: String(port), REEVE_ADAPTER: adapter, REEVE_DRAIN_SECONDS: "3", REEVE_RATE_LIMIT: "off" };
    const server = await ServerProcess.spawn(directory, settings).ready();
    onTestFinished(() => void server.child.kill("SIGKILL"));
    const other = new Agent({ keepAlive: true });
    onTestFinished(() => other.destroy());
    await ask(port, other, "/api/v1/register", undefined, { organization: "Acme", ...person });
    const signedIn = await ask(port, other, "/api/v1/auth/signin", undefined, person);
    const { token } = JSON.parse(signedIn.body);

    let ready = true;
    const made: number[] = [];
    const afterTheSignal: (string | undefined)[] = [];
    let signalled = false;
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        while (ready) {
          const before = signalled;
          const { status, connection } = await ask(port, agent, "/api/v1/ai-assets", token, {
            name: "Made while stopping",
          });
          made.push(status);
          if (before) afterTheSignal.push(connection);
        }
      } finally {
        agent.destroy();
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    const balancer = async () => {
      while (ready) {
        ready = (await ask(port, other, "/readyz")).status === 200;
        await sleep(50);
      }
    };
    while (made.length < 2 * CLIENTS) await sleep(20);
    server.child.kill("SIGTERM");
    signalled = true;
    await balancer();
    await Promise.all(clients);
    expect(new Set(made)).toEqual(new Set([201]));
    expect(await server.ended).toBe(0);
    expect(new Set(afterTheSignal.slice(CLIENTS))).toEqual(new Set(afterTheSignal.length > CLIENTS ? ["close"] : []));

    const again = await ServerProcess.spawn(directory, { ...settings, REEVE_DRAIN_SECONDS: "0" }).ready();
    const listed = await ask(port, other, "/api/v1/ai-assets?size=1", token);
    expect(JSON.parse(listed.body)).toMatchObject({ totalItems: made.length });
    expect(await again.stop("SIGTERM")).toBe(0);
  },
  120_000,
);
