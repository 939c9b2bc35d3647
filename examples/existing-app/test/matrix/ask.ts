import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

export interface Probe {
  readonly method: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Headers that differ between runs of the same host. */
const FLEETING = new Set(["date", "x-request-id"]);

/** Sends one request unchanged and decompresses the answer. */
export async function ask(base: string, { method, path, headers = {}, body }: Probe, agent?: Agent): Promise<Answered> {
  const { hostname, port } = new URL(base);
  // Without the URL parser, which would normalise the path.
  const asked = request({ hostname, port, path, method, headers, ...(agent ? { agent } : {}) });
  const answering = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once("response", resolve).once("error", reject);
  });
  asked.end(body);
  const answer = await answering;
  const bytes = await buffer(answer);
  const zipped = answer.headers["content-encoding"] === "gzip" && bytes.length > 0;
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !FLEETING.has(name))),
    text: (zipped ? gunzipSync(bytes) : bytes).toString(),
  };
}

export const json = (value: unknown) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
