import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import type { Running } from "./running.js";

const BODY = JSON.stringify({ name: "written while the host stops" });

/** Stops the host during a request to Reeve, and expects its answer. */
export async function expectGracefulClose({ url, end }: Running, prefix: string, token: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = [
    `POST ${prefix}/api/v1/ai-assets HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    `content-length: ${BODY.length}`,
    "connection: close",
    "expect: 100-continue",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [invited] = (await once(socket, "data")) as [Buffer];
  expect(invited.toString()).toContain("100 Continue");
  const ended = end();
  socket.write(BODY);
  expect(await text(socket)).toContain("201 Created");
  await ended;
}
