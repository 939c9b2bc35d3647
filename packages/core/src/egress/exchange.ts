import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { EgressRequest } from "../ports/egress.js";
import { failed } from "./failure.js";
import { type Headers, responseHeaders } from "./headers.js";
import type { Target } from "./target.js";

/** One request to one target. Redirects make the next hop. */
export interface Hop {
  readonly target: Target;
  readonly method: NonNullable<EgressRequest["method"]>;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
}

/** An answer whose body has not been read yet. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly message: IncomingMessage;
}

const MAX_HEADER_SIZE = 16_384;

/** Sends one request over an open connection and waits for the headers of the answer. */
export function exchange(hop: Hop, socket: Socket): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      createConnection: () => socket,
      method: hop.method,
      path: hop.target.path,
      headers: { ...hop.headers, ...framing(hop) },
      maxHeaderSize: MAX_HEADER_SIZE,
      insecureHTTPParser: false,
    });
    request.on("error", (error: NodeJS.ErrnoException) =>
      reject(failed(error.code?.startsWith("HPE_") ? "protocol" : "broken_off")),
    );
    request.on("upgrade", () => socket.destroy());
    request.on("close", () => reject(failed("protocol")));
    request.on("response", (message) => {
      message.on("error", () => {}); // the reader of the body reports it
      const { statusCode: status = 0, rawHeaders } = message;
      const headers = responseHeaders(rawHeaders);
      if (status < 200 || status > 599) reject(failed("protocol"));
      else if (!/^(?:identity)?$/i.test(headers["content-encoding"]?.trim() ?? "")) reject(failed("encoding"));
      else resolve({ status, headers, message });
    });
    request.end(hop.body);
  });
}

/** Headers that the client sets itself. The length is explicit, because Node does not set it for GET or DELETE. */
function framing({ target, body }: Hop): Headers {
  const own = { host: target.authority, "accept-encoding": "identity", connection: "close" };
  return body === undefined ? own : { ...own, "content-length": String(body.byteLength) };
}
