import { describe, expect, it, onTestFinished } from "vitest";
import type { Governance } from "../src/host.js";
import { type HostName, hosts } from "../src/hosts/index.js";
import { ask } from "./matrix/ask.js";
import { type Running, startGoverned } from "./matrix/running.js";
import { stores } from "./matrix/stores.js";

/** The shop with its own /api/v1/users, and Reeve at the root with the same path. */
async function startConflict(name: HostName, when: Governance["when"]): Promise<Running> {
  const running = await startGoverned(hosts[name], await stores.SQLite(), true, { prefix: "", when });
  onTestFinished(running.end);
  return running;
}

function hearWarnings(): string[] {
  const warned: string[] = [];
  const hear = ({ name, message }: Error) => void (name === "ReeveWarning" && warned.push(message));
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  return warned;
}

describe("a route of the shop's that is an operation of Reeve's at the root", () => {
  it.each<[HostName, Governance["when"], 200 | 401]>([
    ["Express 4", "first", 401],
    ["Express 4", "last", 200],
    ["Express 5", "first", 401],
    ["Express 5", "last", 200],
    // In NestJS, middleware always comes before routes.
    ["NestJS", "first", 401],
    ["NestJS", "last", 401],
  ])("is named by a warning in %s where Reeve is mounted %s, and answers %i", async (name, when, status) => {
    const warned = hearWarnings();
    const { url } = await startConflict(name, when);
    expect((await ask(url, { method: "GET", path: "/api/v1/users" })).status).toBe(status);
    expect((await ask(url, { method: "GET", path: "/api/v1/monitor/ping" })).status).toBe(200);
    await expect.poll(() => warned.length).toBeGreaterThan(0);
    const answers = status === 200 ? "the app's answers" : "Reeve's answers";
    expect(warned.sort()).toEqual([
      expect.stringContaining(
        `GET /api/v1/users is an operation of Reeve and the app's route /api/v1/users: ${answers}`,
      ),
      expect.stringContaining(
        `GET /api/v1/users/{id} is an operation of Reeve and the app's route /api/v1/users/:id: ${answers}`,
      ),
    ]);
  });

  it.each([
    ["first", "'/api/v1/users'"],
    ["last", "GET /api/v1/users is an operation of Reeve and a route of the host"],
  ] as const)("is refused at start by Fastify where Reeve is mounted %s", async (when, line) => {
    await expect(startConflict("Fastify", when)).rejects.toThrow(line);
  });

  it.each<[HostName, Governance["when"], 200 | 401]>([
    ["Hono", "first", 401],
    ["Hono", "last", 200],
    ["plain http", "first", 401],
    ["plain http", "last", 200],
  ])("is answered in %s by whatever comes first: Reeve %s, %i", async (name, when, status) => {
    const { url } = await startConflict(name, when);
    expect((await ask(url, { method: "GET", path: "/api/v1/users" })).status).toBe(status);
    expect((await ask(url, { method: "GET", path: "/api/v1/orders/1" })).status).toBe(200);
  });
});
