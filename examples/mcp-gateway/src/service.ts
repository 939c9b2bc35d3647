import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { reeve } from "@reeve/adapter-express";
import { mcpServer } from "@reeve/connectors/mcp";
import { type ControlPlane, createControlPlane, createMemoryStore } from "@reeve/core";
import { mcpConnector } from "@reeve/mcp";
import express from "express";
import { TOOLS } from "./tools.js";

/** Somebody of the organisation, who uses HTTP. */
export interface Person {
  readonly userId: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the interface answers
  send(method: string, path: string, body?: object): Promise<any>;
}

export interface Service {
  readonly url: string;
  readonly controlPlane: ControlPlane;
  /** Who owns the agent. */
  readonly ada: Person;
  /** Who decides about access. */
  readonly grace: Person;
  close(): Promise<void>;
}

interface Session {
  readonly token: string;
  readonly user: { readonly id: string };
}

/** The published server, in a process that is started for each call. Clients never reach it themselves. */
function everything() {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
  return { command: process.execPath, args: [join(dirname(manifest), "dist", "index.js"), "stdio"] };
}

/** A control plane behind HTTP on a free local port, with one tenant and two people. */
export async function startService(): Promise<Service> {
  const mcp = mcpConnector({ commands: { everything: everything() } });
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey: randomBytes(32),
    baseUrl: "http://127.0.0.1",
    registration: "open",
    mcp,
    connectors: [mcpServer(mcp, { tools: TOOLS })],
  });
  const server = createServer(express().use(reeve(controlPlane)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const senderOf = (token: string) => async (method: string, path: string, body?: object) => {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  };
  const guest = senderOf("");
  const signIn = async (account: object): Promise<Person> => {
    const signedIn = (await guest("POST", "/api/v1/auth/signin", account)) as Session;
    const { token, user } = signedIn;
    return { send: senderOf(token), userId: user.id };
  };
  const ada = { username: "ada@acme.example", password: "violet tram at noon" };
  const grace = { username: "grace@acme.example", password: "amber ferry at dawn" };
  await guest("POST", "/api/v1/register", { organization: "Acme", ...ada });
  const owner = await signIn(ada);
  await owner.send("POST", "/api/v1/users", { ...grace, name: "Grace", roles: ["approver"] });
  return {
    url,
    controlPlane,
    ada: owner,
    grace: await signIn(grace),
    async close() {
      await controlPlane.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
