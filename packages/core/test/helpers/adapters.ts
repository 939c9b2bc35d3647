import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reeve as onExpress } from "@reeve/adapter-express";
import { reeve as onFastify } from "@reeve/adapter-fastify";
import type { ControlPlane } from "@reeve/core";
import type { World } from "@reeve/testkit";
import express from "express";
import fastify from "fastify";
import { undoLater } from "./undo.js";

const LISTENING = {
  async express(controlPlane: ControlPlane): Promise<string> {
    const server = createServer(express().use(onExpress(controlPlane)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    undoLater(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  async fastify(controlPlane: ControlPlane): Promise<string> {
    const app = fastify();
    await app.register(onFastify, { controlPlane });
    undoLater(() => app.close());
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
};

/** The adapters that a control plane is served by, for tests from outside. */
export const ADAPTERS = Object.keys(LISTENING) as (keyof typeof LISTENING)[];

/** An answer as it came over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind
  readonly json: any;
}

/** Serves a world through an adapter, on loopback; gives a way to read there. */
export async function servedBy({ controlPlane }: World, adapter: keyof typeof LISTENING) {
  const url = await LISTENING[adapter](controlPlane);
  return async (path: string, token?: string): Promise<HttpAnswer> => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { headers });
    return { status: response.status, json: await response.json() };
  };
}
