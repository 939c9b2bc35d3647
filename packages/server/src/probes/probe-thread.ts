import { Worker } from "node:worker_threads";
import type { Logger } from "@reeve/core";
import type { Told } from "./readiness.js";

/** Without a sign of life for this long, in ms, the server does not live. No job may hold it for a hundredth of that. */
const HELD_MS = 10_000;
/** Signs of life within that time. */
const BEATS = 40;

/**
 * What the thread runs. It is text and no file, so that it is found in whatever way the server is bundled. It gets no
 * environment and no arguments of Node, and so neither secrets nor what the server is to load beside it.
 */
const PROGRAM = `
const { createServer } = require("node:http");
const { parentPort, workerData } = require("node:worker_threads");
let told = {};
let heardAt = performance.now();
parentPort.on("message", (pages) => {
  told = pages;
  heardAt = performance.now();
});
const held = { status: 503, text: "held" };
const answerOf = (path) => {
  if (path !== "/livez" && !Object.hasOwn(told, path)) return { status: 404, text: "" };
  if (performance.now() - heardAt > workerData.heldMs) return held;
  return path === "/livez" ? { status: 200, text: "ok" } : told[path];
};
const server = createServer(({ method, url }, response) => {
  const asks = method === "GET" || method === "HEAD";
  const { status, text } = asks ? answerOf(url.split("?")[0]) : { status: 404, text: "" };
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(method === "HEAD" ? undefined : text);
});
server.on("error", ({ code, message }) => parentPort.postMessage({ code, message }));
server.listen(workerData.port, workerData.host, () => parentPort.postMessage({}));`;

interface Place {
  readonly host: string;
  readonly port: number;
  readonly heldMs?: number;
}

/**
 * Answers probes on a port of their own, in a thread of their own, so that they wait for no request. Once the event loop
 * of the server is held for long, both probes fail. Resolves to a function that ends it.
 */
export async function startProbeThread(
  pages: ReadonlyMap<string, () => Told>,
  { host, port, heldMs = HELD_MS }: Place,
  log: Pick<Logger, "error">,
): Promise<() => Promise<void>> {
  const workerData = { host, port, heldMs };
  const thread = new Worker(PROGRAM, { eval: true, name: "probes", workerData, env: {}, execArgv: [] });
  const beat = () => thread.postMessage(Object.fromEntries([...pages].map(([path, told]) => [path, told()])));
  beat();
  await new Promise<void>((resolve, reject) => {
    thread.once("error", reject);
    thread.once("message", (failure: { readonly message?: string }) => {
      if (failure.message === undefined) return resolve();
      void thread.terminate();
      reject(Object.assign(new Error(failure.message), failure));
    });
  });
  thread.on("error", (error) => log.error({ error: String(error) }, "the thread of the probes has ended"));
  const beating = setInterval(beat, heldMs / BEATS);
  return async () => {
    clearInterval(beating);
    await thread.terminate();
  };
}
