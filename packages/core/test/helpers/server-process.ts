import { reeve as onExpress } from "@reeve/adapter-express";
import { reeve as onFastify } from "@reeve/adapter-fastify";
import { createPlane } from "@reeve/testkit";
import express from "express";
import fastify from "fastify";
import { systemClock } from "#ports/clock.js";
import { ulidSource } from "#testing/index.js";
import { storeAt } from "./address.js";
import type { ServerSetting } from "./servers.js";

/** A process that serves a control plane over HTTP, on a store that others may share, with the system clock. */
const { adapter, port, address, config } = JSON.parse(process.argv[2] as string) as ServerSetting;
const { controlPlane } = createPlane({
  ...config,
  store: storeAt(address),
  clock: systemClock,
  ids: ulidSource(),
});
await controlPlane.ready();
if (adapter === "express") {
  const app = express();
  app.use(onExpress(controlPlane));
  app.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
} else {
  const app = fastify();
  await app.register(onFastify, { controlPlane });
  await app.listen({ port, host: "127.0.0.1" });
  process.stdout.write("ready\n");
}
