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

/** What differs from one run of the same host to the next. */
const FLEETING = new Set(["date", "x-request-id"]);

/** One request as written, by a client that interprets nothing; a compressed answer is opened. */
export async function ask(base: string, { method, path, headers = {}, body }: Probe, agent?: Agent): Promise<Answered> {
  const { hostname, port } = new URL(base);
  // Written out, so that no client cleans the path.
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
