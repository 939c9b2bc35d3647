import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { PERSON } from "./estate.js";
import { sampleBody } from "./samples.js";

/** What is asked, and its share of a hundred requests. */
export const SHARES = { read: 40, list: 25, search: 5, create: 20, decide: 10 } as const;
export type Kind = keyof typeof SHARES;

const ASSETS = "/api/v1/ai-assets";
/** What every assets' name and text holds, or a few. */
const TERMS = ["assistant", "fraud", "triage 37", "team 101"];
const AT_ONCE = 8;

/** A tenant of the load. */
export interface Tenant {
  readonly token: string;
  readonly toolId: string;
  readonly assetIds: readonly string[];
}

interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  readonly token?: string;
}

/** Milliseconds of each answer by kind. */
export type Times = Readonly<Record<Kind, number[]>>;

/** Registers tenants, each with assets, a tool and a policy in force that permits its call. */
export async function prepareTenants(url: string, tenants: number, assets: number): Promise<readonly Tenant[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  try {
    const made: Tenant[] = [];
    for (let at = 0; at < tenants; at += 1) made.push(await prepareTenant(url, agent, at, assets));
    return made;
  } finally {
    agent.destroy();
  }
}

async function prepareTenant(url: string, agent: Agent, at: number, assets: number): Promise<Tenant> {
  const person = { ...PERSON, username: `bench-${at}@reeve.example` };
  await send(url, agent, {
    method: "POST",
    path: "/api/v1/register",
    body: { organization: `Bench ${at}`, ...person },
  });
  const { token } = await send<{ token: string }>(url, agent, {
    ...{ method: "POST", path: "/api/v1/auth/signin", body: person },
  });
  const post = <T>(path: string, body: object) => send<T>(url, agent, { method: "POST", path, body, token });
  const rules = [{ key: "r0", effect: "allow", if: 'action.name == "tools/call"', message: "It may." }];
  const tests = [{ name: "t", input: { action: { name: "tools/call" } }, expect: "allow" }];
  await post("/api/v1/ai-governance/policies", {
    ...{ status: "active", configuration: { kind: "runtime", key: "bench", rules, tests } },
  });
  const server = await post<{ id: string }>("/api/v1/ai/mcp-servers", {
    ...{ name: "Payments", transport: "streamable_http", url: "https://payments.example/mcp" },
  });
  const { assetId: toolId } = await post<{ assetId: string }>("/api/v1/ai/tools", {
    ...{ name: "refund", toolName: "refund", origin: "mcp", serverId: server.id },
  });
  const numbers = Array.from({ length: assets }, (_, number) => number);
  const made = await Promise.all(numbers.map((number) => post<{ id: string }>(ASSETS, sampleBody(number))));
  return { token, toolId, assetIds: made.map(({ id }) => id) };
}

export interface Load {
  readonly url: string;
  readonly tenants: readonly Tenant[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second of all connections. Without it each connection asks again once it has its answer. */
  readonly rate?: number;
}

/**
 * Loads a server from connections that stay open. With a rate, a request that is late because its connection waits for
 * an answer is timed from when it was due.
 */
export async function mixedLoad({ url, tenants, connections, seconds, rate }: Load): Promise<Times> {
  const times: Times = { read: [], list: [], search: [], create: [], decide: [] };
  const started = performance.now();
  const end = started + seconds * 1_000;
  const client = async (at: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const every = rate === undefined ? 0 : (connections / rate) * 1_000;
    let due = started + (every * at) / connections;
    try {
      for (let count = at; performance.now() < end && due < end; count += 1) {
        const wait = due - performance.now();
        if (wait > 0) await sleep(wait);
        const from = rate === undefined ? performance.now() : due;
        const kind = kindOf(Math.random() * 100);
        await send(url, agent, requestOf(kind, tenants[at % tenants.length] as Tenant, count));
        times[kind].push(performance.now() - from);
        due += every;
      }
    } finally {
      agent.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, at) => client(at)));
  return times;
}

/** The kind that a number from 0 to 100 falls on. */
function kindOf(number: number): Kind {
  let upTo = 0;
  for (const [kind, share] of Object.entries(SHARES)) {
    upTo += share;
    if (number < upTo) return kind as Kind;
  }
  return "read";
}

function requestOf(kind: Kind, { token, toolId, assetIds }: Tenant, count: number): Request {
  switch (kind) {
    case "read":
      return { method: "GET", path: `${ASSETS}/${assetIds[count % assetIds.length]}`, token };
    case "list":
      return { method: "GET", path: `${ASSETS}?size=20`, token };
    case "search":
      return { method: "GET", path: `${ASSETS}?search=${encodeURIComponent(TERMS[count % 4] as string)}`, token };
    case "create":
      return { method: "POST", path: ASSETS, body: sampleBody(count), token };
    case "decide":
      return {
        ...{ method: "POST", path: "/api/v1/ai/policies/evaluate", token },
        body: {
          subject: { type: "user", id: PERSON.username },
          action: { name: "tools/call", properties: { arguments: { amount: 5 } } },
          resource: { type: "tool", id: toolId },
        },
      };
  }
}

/** Rejects on any answer but success, because a fast refusal is no measurement. */
export async function send<T>(url: string, agent: Agent, { method, path, body, token }: Request): Promise<T> {
  const { status, text } = await answerOf(url, agent, {
    method,
    path,
    ...(body ? { body } : {}),
    ...(token ? { token } : {}),
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as T;
}

function answerOf(url: string, agent: Agent, { method, path, body, token }: Request) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
    };
    const asked = request(`${url}${path}`, { method, agent, headers, timeout: 20_000 }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    asked.on("timeout", () => asked.destroy(new Error(`${method} ${path}: no answer in 20 s`)));
    asked.on("error", reject);
    asked.end(sent);
  });
}
