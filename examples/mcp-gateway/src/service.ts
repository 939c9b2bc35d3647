import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reeve } from "@reeve/adapter-express";
import { createControlPlane, createMemoryStore } from "@reeve/core";
import { mcpConnector } from "@reeve/mcp";
import express from "express";
import { EVERYTHING } from "./upstream.js";

/** Somebody who uses HTTP. */
export interface Person {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the interface answers
  send(method: string, path: string, body?: object): Promise<any>;
}

export interface Service {
  readonly url: string;
  /** Who runs the estate. */
  readonly ada: Person;
  /** Who decides. */
  readonly grace: Person;
  /** Somebody without an account. */
  readonly guest: Person;
  /** Whoever holds a token. */
  as(token: string): Person;
  close(): Promise<void>;
}

/** A control plane with its doors behind HTTP on a free local port, with one tenant and two people. */
export async function startService(): Promise<Service> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey: randomBytes(32),
    baseUrl: url,
    registration: "open",
    doors: true,
    mcp: mcpConnector({ commands: { everything: EVERYTHING } }),
  });
  server.on("request", express().use(reeve(controlPlane)));
  const as = (token: string): Person => ({
    async send(method, path, body) {
      const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${url}/api/v1${path}`, { method, headers, ...sent });
      const json = await answer.json();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
      return json;
    },
  });
  const guest = as("");
  const signIn = async (account: object) => as((await guest.send("POST", "/auth/signin", account)).token);
  const [ada, grace] = [
    { username: "ada@acme.example", password: "violet tram at noon" },
    { username: "grace@acme.example", password: "amber ferry at dawn" },
  ];
  await guest.send("POST", "/register", { organization: "Acme", ...ada });
  const owner = await signIn(ada);
  await owner.send("POST", "/users", { ...grace, name: "Grace", roles: ["governance_officer"] });
  return {
    url,
    ada: owner,
    grace: await signIn(grace),
    guest,
    as,
    async close() {
      await controlPlane.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
