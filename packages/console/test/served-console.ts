import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { reeve as onExpress } from "@reeve/adapter-express";
import { reeve as onFastify } from "@reeve/adapter-fastify";
import type { ControlPlane, ControlPlaneConfig } from "@reeve/core";
import { byKeyboard } from "@reeve/testkit/browser";
import type { Person } from "@reeve/testkit/living-estate";
import express from "express";
import fastify, { type FastifyInstance } from "fastify";
import type { Page } from "playwright-core";
import type { ConsoleOptions } from "../src/options.js";
import { consoleOption } from "./built-console.js";

export type Adapter = "express" | "fastify";

export interface ServedConsole<Plane> {
  /** Where the server listens. */
  readonly origin: string;
  readonly plane: Plane;
  close(): Promise<void>;
}

/**
 * Serves the console of a control plane through an adapter on loopback. `make` gets the options that it takes: the pages of the
 * present sources, and the address.
 */
export async function servedConsole<Plane extends { readonly controlPlane: ControlPlane }>(
  adapter: Adapter,
  make: (config: Pick<ControlPlaneConfig, "console" | "baseUrl">) => Promise<Plane>,
  options: ConsoleOptions = {},
): Promise<ServedConsole<Plane>> {
  const [option, { port, server, mount }] = await Promise.all([consoleOption(options), LISTENING[adapter]()]);
  const origin = `http://127.0.0.1:${port}`;
  const plane = await make({ console: option, baseUrl: origin });
  await mount(plane.controlPlane);
  return {
    origin,
    plane,
    async close() {
      await server();
      await plane.controlPlane.close();
    },
  };
}

/** A port is taken before the control plane is made, because that is told its address. */
const LISTENING = {
  async express() {
    const app = express();
    const { port, close } = await listening(app);
    return { port, server: close, mount: async (plane: ControlPlane) => void app.use(onExpress(plane)) };
  },
  async fastify() {
    let app: FastifyInstance | undefined;
    const { port, close } = await listening((request, answer) => app?.routing(request, answer));
    return {
      port,
      async server() {
        await close();
        await app?.close();
      },
      async mount(plane: ControlPlane) {
        app = fastify();
        await app.register(onFastify, { controlPlane: plane });
        await app.ready();
      },
    };
  },
};

async function listening(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Signs a person in by the form and by keyboard, on whatever page is open. */
export async function signIn(page: Page, { username, password }: Person): Promise<void> {
  const keyboard = byKeyboard(page);
  await keyboard.fill("textbox", "E-mail address", username);
  await keyboard.fill("textbox", "Password", password);
  await keyboard.activate("button", "Sign in");
  await page.getByRole("navigation", { name: "Areas" }).waitFor();
}

/** Begins a person's session without the form, which has tests of its own, and opens the console. */
export async function enter(page: Page, { username, password }: Person): Promise<void> {
  const headers = { "x-reeve-page": "1" };
  const answer = await page.context().request.post("/api/v1/auth/sessions", { data: { username, password }, headers });
  if (!answer.ok()) throw new Error(await answer.text());
  await page.goto("/console");
  await page.getByRole("navigation", { name: "Areas" }).waitFor();
}
