import { randomBytes } from "node:crypto";
import { createControlPlane, createMemoryStore } from "@reeve/core";
import { govern } from "./govern.js";

const controlPlane = createControlPlane({
  store: createMemoryStore(),
  masterKey: randomBytes(32),
  baseUrl: "http://127.0.0.1:3000",
  registration: "open",
});
const { agent, refusal, events } = await govern(controlPlane);
process.stdout.write(`${agent}\nproduction is refused: ${refusal}\nevents, newest first: ${events.join(", ")}\n`);
await controlPlane.close();
