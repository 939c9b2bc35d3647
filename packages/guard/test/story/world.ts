import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { reeveListener } from "@reeve/adapter-http";
import {
  type Clock,
  type ControlPlane,
  createControlPlane,
  createMemoryStore,
  type Principal,
  type Store,
} from "@reeve/core";
import { type Backend, http, inProcess } from "@reeve/guard";

/** Of every world of this process, so that one is opened again on the same file. */
const MASTER_KEY = randomBytes(32);

/** Ways to Reeve, and Reeve in a state in which it cannot decide. */
export const WAYS = ["in process", "over HTTP"] as const;
export type Way = (typeof WAYS)[number];
export type Trouble = "away" | "late" | "unreadable";

/** The ids that a world is found by again. */
export interface Known {
  readonly clientId: string;
  readonly clientSecret: string;
}

const asks = (tool: string, args: object) => ({
  action: { name: "tools/call", properties: { tool, arguments: args } },
});
const isTool = (tool: string) => `action.properties.tool == "${tool}"`;

/** A control plane of one tenant, in this process and behind HTTP on the loopback interface. */
export class World {
  readonly #servers: Server[] = [];

  private constructor(
    readonly controlPlane: ControlPlane,
    readonly url: string,
    readonly ada: Principal,
    readonly grace: Principal,
    readonly joan: Principal,
    server: Server,
  ) {
    this.#servers.push(server);
  }

  static async open(store: Store = createMemoryStore(), more: { readonly clock?: Clock } = {}): Promise<World> {
    const controlPlane = createControlPlane({
      ...{ store, masterKey: MASTER_KEY, baseUrl: "http://127.0.0.1", doors: true },
      ...{ rateLimits: "off", ...more },
    });
    const { tenantId } = await controlPlane.ensureTenant({ externalId: "acme", name: "Acme Ltd" });
    const person = (userId: string, role: string) =>
      controlPlane.principalOf({ tenantId, userId, username: `${userId}@acme.example`, roles: [role] });
    const [ada, grace] = [await person("ada", "admin"), await person("grace", "governance_officer")];
    const server = createServer(reeveListener(controlPlane));
    const url = await listening(server);
    return new World(controlPlane, url, ada, grace, await person("joan", "operator"), server);
  }

  call: ControlPlane["call"] = (...given) => this.controlPlane.call(...given);

  /** Registers agents, tools and rules, and gives a machine its credential. */
  async fill(): Promise<Known> {
    const { ada, grace } = this;
    const named = ["search", "refund", "wire", "read", "export", "wait", "orphan"];
    const tools = new Map<string, string>();
    for (const toolName of named)
      tools.set(toolName, (await this.call("aiTools.create", ada, { body: { name: toolName, toolName } })).id);
    const toolIds = named.filter((name) => name !== "orphan").map((name) => tools.get(name) as string);
    const agent = (name: string, body = {}) => this.call("aiAgents.create", ada, { body: { name, toolIds, ...body } });
    await agent("Teller");
    const stopped = await agent("Stopped teller");
    const team = { type: "team" as const, id: "night", name: "Night shift" };
    const halted = await agent("Night teller");
    await this.call("aiAssets.replace", ada, { params: { id: halted.assetId }, body: { team } });
    await this.call("aiAssets.changeGovernanceState", ada, {
      params: { id: stopped.assetId },
      body: { status: "suspended", reason: "It answered for somebody else." },
    });
    const policy = await this.call("aiGovernancePolicies.create", ada, {
      body: {
        ...{ name: "Tellers", kind: "runtime", key: "tellers" },
        rules: [
          {
            key: "search",
            effect: "allow",
            message: "Everybody may search.",
            if: `${isTool("search")} || ${isTool("wait")}`,
          },
          {
            key: "small",
            effect: "allow",
            message: "Small.",
            if: `${isTool("refund")} && action.properties.arguments.amount <= 100`,
          },
          {
            key: "large",
            effect: "require_approval",
            message: "Large.",
            if: `${isTool("refund")} && action.properties.arguments.amount > 100`,
          },
          { key: "wire", effect: "deny", message: "Agents wire nothing.", if: isTool("wire") },
          {
            key: "export",
            effect: "allow",
            message: "Few.",
            if: `${isTool("export")} && action.properties.arguments.limit < 10`,
          },
        ],
        tests: [{ name: "search", input: asks("search", { query: "x" }), expect: "allow" }],
      },
    });
    await this.call("aiGovernancePolicies.replace", grace, { params: { id: policy.id }, body: { status: "active" } });
    const scopes = ["ai-decision:evaluate", "ai-approval:read", "ai-session:report", "ai-session:enforce"];
    const identity = await this.call("aiIdentities.create", ada, {
      body: { name: "Agent host", kind: "workload", scopes },
    });
    const params = { id: identity.id };
    const { clientId, clientSecret = "" } = await this.call("aiIdentities.issueCredential", ada, { params });
    return { clientId, clientSecret };
  }

  /** A way to this Reeve. */
  backend(way: Way, credential: Known): Backend {
    return way === "in process" ? inProcess(this.controlPlane, this.joan) : http({ baseUrl: this.url, credential });
  }

  /** A way to a Reeve that does not decide. */
  async troubled(way: Way, trouble: Trouble): Promise<Backend> {
    if (way === "in process") {
      const { operations } = this.controlPlane;
      const call = {
        away: () => Promise.reject(new Error("The store is away.")),
        late: () => new Promise<never>(() => undefined),
        unreadable: async () => ({ decision: true }),
      }[trouble];
      return inProcess({ operations, call, decide: call, sessionGuard: () => Promise.reject(new Error("no")) }, null);
    }
    const server = createServer((_request, response) => {
      if (trouble === "unreadable") response.setHeader("content-type", "application/json").end('{"decision":true}');
    });
    const baseUrl = await listening(server);
    if (trouble === "away") await closed(server);
    else this.#servers.push(server);
    return http({ baseUrl, credential: "token" });
  }

  async startSession(agent: string): Promise<string> {
    const { items } = await this.call("aiAgents.list", this.ada, { query: { search: agent } });
    const agentId = items.find(({ name }) => name === agent)?.assetId as string;
    return (await this.call("aiSessions.create", this.ada, { body: { agentId } })).id;
  }

  async terminate(id: string): Promise<void> {
    const body = { reason: "It was told to stop by its owner." };
    await this.call("aiSessions.terminate", this.grace, { params: { id }, body });
  }

  async close(): Promise<void> {
    await this.controlPlane.close();
    await Promise.all(this.#servers.map(closed));
  }
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closed(server: Server): Promise<unknown> {
  (server as Server & { closeAllConnections?: () => void }).closeAllConnections?.();
  return new Promise((resolve) => server.close(resolve));
}
