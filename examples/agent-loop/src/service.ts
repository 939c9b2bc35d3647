import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reeve } from "@reeve/adapter-express";
import { type ControlPlane, createControlPlane, createMemoryStore } from "@reeve/core";
import express from "express";

/** An operator of the organisation, who uses HTTP. */
export interface Operator {
  readonly tenantId: string;
  send(method: string, path: string, body?: object): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the interface answers
  readonly json: any;
}

export interface Service {
  readonly url: string;
  readonly controlPlane: ControlPlane;
  readonly operator: Operator;
  close(): Promise<void>;
}

/** A control plane behind HTTP on a free local port, with one tenant and its owner. */
export async function startService(): Promise<Service> {
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey: randomBytes(32),
    baseUrl: "http://127.0.0.1",
    registration: "open",
  });
  const server = createServer(express().use(reeve(controlPlane)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  let token = "";
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return { status: answer.status, json };
  };
  const account = { username: "ada@acme.example", password: "violet tram at noon" };
  const { json: registered } = await send("POST", "/api/v1/register", { organization: "Acme", ...account });
  token = (await send("POST", "/api/v1/auth/signin", account)).json.token;
  return {
    url,
    controlPlane,
    operator: { tenantId: registered.tenantId, send },
    async close() {
      await controlPlane.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
