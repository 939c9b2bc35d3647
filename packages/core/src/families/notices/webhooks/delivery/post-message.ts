import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Message } from "./sign-message.js";

/** How long a receiver may take, as the specification advises: 15 to 30 seconds. */
const TIMEOUT = 15_000;
/** The answer's body is not read for anything. */
const BYTES = 65_536;

/** How an attempt ended. */
export interface Posted {
  readonly outcome: "delivered" | "failed";
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly durationMs: number;
}

/** Posts a message. Any answer of 200 to 299 means that it was taken. */
export async function postMessage(env: Environment, url: string, { body, headers }: Message): Promise<Posted> {
  const began = env.clock.now();
  const took = () => Math.max(0, env.clock.now() - began);
  try {
    const { status } = await env.egress.request({
      ...{ url, method: "POST", headers, body, timeoutMs: TIMEOUT, maxBytes: BYTES },
    });
    const isTaken = status >= 200 && status < 300;
    const failure = isTaken ? null : `status_${status}`;
    return { outcome: isTaken ? "delivered" : "failed", httpStatus: status, failure, durationMs: took() };
  } catch (error) {
    if (!ReeveError.is(error)) throw error;
    return { outcome: "failed", httpStatus: null, failure: error.code, durationMs: took() };
  }
}
