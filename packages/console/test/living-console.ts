import { createServer } from "node:http";
import { reeve as onExpress } from "@reeve/adapter-express";
import { reeve as onFastify } from "@reeve/adapter-fastify";
import type { ControlPlaneConfig } from "@reeve/core";
import { type RunningChromium, startChromium, type VisitOptions, type Visitor, visit } from "@reeve/testkit/browser";
import { livingPlane, type StaffName } from "@reeve/testkit/living-estate";
import { freePort } from "@reeve/testkit/postgres";
import express from "express";
import fastify from "fastify";
import { consoleOption } from "./built-console.js";
import { enter } from "./served-console.js";

type Plane = Awaited<ReturnType<typeof livingPlane>>;

/** A console over a living estate, served on loopback, and a browser to open it with. */
export interface LivingConsole extends Plane {
  readonly origin: string;
  /** Opens the console as somebody, and lets them do something. */
  readonly as: <T>(
    who: StaffName,
    steps: (visitor: Visitor) => Promise<T>,
    options?: Partial<VisitOptions>,
  ) => Promise<T>;
  /** Somebody who is not signed in. */
  readonly visit: <T>(steps: (visitor: Visitor) => Promise<T>, options?: Partial<VisitOptions>) => Promise<T>;
  readonly stop: () => Promise<void>;
}

async function listen(adapter: "express" | "fastify", port: number, { controlPlane }: Plane) {
  if (adapter === "fastify") {
    const app = fastify();
    await app.register(onFastify, { controlPlane });
    return { origin: await app.listen({ host: "127.0.0.1", port }), close: () => app.close() };
  }
  const server = createServer(express().use(onExpress(controlPlane)));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** Starts all of it through an adapter. */
export async function livingConsole(
  adapter: "express" | "fastify" = "express",
  config: Partial<ControlPlaneConfig> = {},
): Promise<LivingConsole> {
  const port = await freePort();
  const plane = await livingPlane({ ...config, baseUrl: `http://127.0.0.1:${port}`, console: await consoleOption() });
  const { origin, close } = await listen(adapter, port, plane);
  const chromium: RunningChromium = await startChromium();
  return {
    ...plane,
    origin,
    visit: (steps, options = {}) => visit(chromium.browser, { origin, ...options }, steps),
    as: (who, steps, options = {}) =>
      visit(chromium.browser, { origin, ...options }, async (visitor) => {
        await enter(visitor.page, plane.estate.staff[who]);
        return steps(visitor);
      }),
    async stop() {
      await chromium.stop();
      await close();
      await plane.controlPlane.close();
    },
  };
}
