import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reeve as reeveExpress } from "@reeve/adapter-express";
import { reeve as reeveFastify } from "@reeve/adapter-fastify";
import { type ControlPlane, type ControlPlaneConfig, createMemoryStore } from "@reeve/core";
import { createSqliteStore } from "@reeve/store-sqlite";
import { createPlane } from "@reeve/testkit";
import express from "express";
import fastify from "fastify";
import { createClient } from "../src/index.js";

/** A control plane that answers on a port of its own, with one organisation and its owner. */
export interface Service {
  readonly url: string;
  readonly plane: ReturnType<typeof createPlane>;
  readonly account: { readonly username: string; readonly password: string };
  close(): Promise<void>;
}

type Mount = (controlPlane: ControlPlane) => Promise<{ readonly url: string; close(): Promise<unknown> }>;

const onExpress: Mount = async (controlPlane) => {
  const server = createServer(express().use("/governance", reeveExpress(controlPlane)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/governance`, close };
};

const onFastify: Mount = async (controlPlane) => {
  const app = fastify({ forceCloseConnections: true });
  await app.register(reeveFastify, { controlPlane });
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() };
};

/** Where the tests of the client run: each adapter, with a prefix and without, on another store. */
export const SETTINGS = [
  { name: "Express under a prefix, on SQLite", mount: onExpress, sqlite: true },
  { name: "Fastify at the root, in memory", mount: onFastify, sqlite: false },
] as const;

export type Setting = (typeof SETTINGS)[number];

export async function startService(
  { mount, sqlite }: Setting,
  config: Partial<ControlPlaneConfig> = {},
): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "reeve-client-"));
  const store = sqlite ? createSqliteStore({ file: join(folder, "reeve.sqlite") }) : createMemoryStore();
  const plane = createPlane({ store, ...config });
  const { url, close } = await mount(plane.controlPlane);
  const account = { username: "ada@acme.example", password: "seven green lanterns at dusk" };
  await createClient({ baseUrl: url }).POST("/api/v1/register", { body: { organization: "Acme Ltd", ...account } });
  return {
    url,
    plane,
    account,
    async close() {
      await close();
      await plane.controlPlane.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A `fetch` that writes down what it sends, and may do something about an answer before the client sees it. */
export function observed(onAnswer: (answer: Response, request: Request) => void = () => undefined) {
  const requests: Request[] = [];
  const send = async (request: Request) => {
    requests.push(request);
    const answer = await fetch(request);
    onAnswer(answer, request);
    return answer;
  };
  const sent = () =>
    requests.map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/^.*\/api\/v1/, "")}`);
  return { fetch: send, requests, sent };
}
