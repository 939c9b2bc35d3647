import type { StartHost } from "../host.js";
import { startExpress4, startExpress5 } from "./express.js";
import { startFastify } from "./fastify.js";
import { startHono } from "./hono.js";
import { startNest } from "./nest.js";
import { startPlainHttp } from "./plain-http.js";

/** The shop in every framework. */
export const hosts = {
  "Express 4": startExpress4,
  "Express 5": startExpress5,
  Fastify: startFastify,
  NestJS: startNest,
  Hono: startHono,
  "plain http": startPlainHttp,
} satisfies Record<string, StartHost>;

export type HostName = keyof typeof hosts;
