import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { reeve as onExpress } from "@reeve/adapter-express";
import { reeve as onFastify } from "@reeve/adapter-fastify";
import { reeveListener } from "@reeve/adapter-http";
import type { ControlPlane } from "@reeve/core";
import type { World } from "@reeve/testkit";
import { publishedBy } from "@reeve/testkit/openapi";
import express from "express";
import fastify from "fastify";
import { inject } from "vitest";
import { undoLater } from "./undo.js";

/**
 * The adapter for tests of each kind of store. One suffices, because the HTTP contract shows that adapters respond the
 * same, byte for byte.
 */
export const ADAPTER_OF = { memory: "listener", sqlite: "fastify", postgres: "express" } as const;

const LISTENING = {
  listener: (controlPlane: ControlPlane) => listening(reeveListener(controlPlane)),
  express: (controlPlane: ControlPlane) => listening(express().use(onExpress(controlPlane))),
  async fastify(controlPlane: ControlPlane): Promise<string> {
    const app = fastify();
    await app.register(onFastify, { controlPlane });
    undoLater(() => app.close());
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
};

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undoLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An HTTP response. */
export interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind
  readonly json: any;
}

/** What a request holds beside its path and token. A GET without a body when absent. */
type Asked = Pick<RequestInit, "method" | "body"> & {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Serves a world on loopback through the adapter for the store under test. Returns a function that sends requests, and throws
 * for an answer that the published OpenAPI document does not allow.
 */
export async function served({ controlPlane }: Pick<World, "controlPlane">) {
  const published = publishedBy(controlPlane);
  const url = await LISTENING[ADAPTER_OF[inject("store") ?? "memory"]](controlPlane);
  return async (path: string, token?: string, { type, headers: more, ...asked }: Asked = {}): Promise<HttpAnswer> => {
    const headers: Record<string, string> = { ...more };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (type !== undefined) headers["content-type"] = type;
    const response = await fetch(url + path, { ...asked, headers });
    const text = await response.text();
    const contentType = response.headers.get("content-type") ?? undefined;
    const operationId = published.operationAt(asked.method ?? "GET", path);
    const faults = published.answerFaults({ operationId, status: response.status, contentType, text });
    if (faults.length > 0) throw new Error(`${path} (${operationId}): by /openapi.json ${faults.join("; ")}`);
    const isJson = /[/+]json\b/.test(contentType ?? "") && text !== "";
    return { status: response.status, json: isJson ? JSON.parse(text) : undefined };
  };
}
