import { createServer } from "node:http";
import { reeve as expressMiddleware } from "@reeve/adapter-express";
import { reeve as fastifyPlugin } from "@reeve/adapter-fastify";
import { reeveListener } from "@reeve/adapter-http";
import { type ControlPlaneConfig, createControlPlane } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { createPostgresStore } from "@reeve/store-postgres";
import { createSqliteStore } from "@reeve/store-sqlite";
import express from "express";
import Fastify from "fastify";
import { type Database, listen, type ServerConfig, type Serving } from "./server.js";

/** Limits that no load reaches, so that the measured server counts requests but refuses none. */
const MANY = 1_000_000_000;
const UNREACHED = { tenant: MANY, principal: MANY, address: MANY, rejected: MANY, credential: MANY, expensive: MANY };

export function openStore({ store, location, options }: Database): Store {
  return store === "sqlite"
    ? createSqliteStore({ file: location })
    : createPostgresStore({ url: location, ...options });
}

export function openControlPlane(
  store: Store,
  { issuer, masterKey }: Pick<ServerConfig, "issuer" | "masterKey">,
  more: Partial<ControlPlaneConfig> = {},
) {
  return createControlPlane({
    store,
    masterKey,
    baseUrl: issuer,
    registration: "open",
    tokenLifetime: 86_400,
    rateLimits: UNREACHED,
    ...more,
  });
}

/** Starts Reeve in a host. */
export async function serveReeve(config: ServerConfig): Promise<Serving> {
  const controlPlane = openControlPlane(openStore(config.database), config, { doors: config.doors ?? false });
  await controlPlane.ready();
  const close = () => controlPlane.close();
  if (config.framework === "fastify") {
    const app = Fastify();
    await app.register(fastifyPlugin, { controlPlane });
    return { url: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close().then(close) };
  }
  if (config.framework === "express") {
    const app = express();
    app.disable("x-powered-by");
    app.use(expressMiddleware(controlPlane));
    return listen(createServer(app), close);
  }
  const otherwise = reeveListener(controlPlane);
  return listen(createServer(otherwise), close);
}
