import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { things } from "@reeve/testkit";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "./support.js";

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const LET_IN = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const ENDED = message("E", Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0"));

/** A server that ends each connection in the packet that greets it. */
async function hastyServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([LET_IN, READY, ENDED])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `postgres://app@127.0.0.1:${(server.address() as AddressInfo).port}/app?sslmode=disable`;
}

it("O3 a connection that ends together with its greeting fails its use, and not the process", async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on("uncaughtExceptionMonitor", note);
  onTestFinished(() => void process.off("uncaughtExceptionMonitor", note));
  const store = openStore(await hastyServer());
  for (let time = 0; time < 3; time += 1)
    await expect(store.forTenant("t").count(things)).rejects.toMatchObject({ code: "unavailable" });
  expect(uncaught).toEqual([]);
});
