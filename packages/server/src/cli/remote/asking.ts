import { type Client, type ClientOptions, createClient, ProblemError } from "@reeve/client";
import { Failure } from "../../failure.js";
import { baseUrlOf } from "../../settings/base-url.js";
import { refusalOf, silenceOf, strange } from "./refusals.js";

export const DEFAULT_SERVER = "http://127.0.0.1:4000";

/** How often a request is sent again, because a person waits. */
const RETRIES = 2;
const LONGEST_WAIT_MS = 10_000;
const TIMEOUT_MS = 60_000;

/** Who asks, and what to do when the server does not take the token. */
export type Who = Pick<ClientOptions, "token" | "clientCredentials"> & { readonly refused?: () => void };

/** The address of a server that no profile names. */
export function addressOf(env: NodeJS.ProcessEnv, given?: string): string {
  const address = baseUrlOf(given ?? (env.REEVE_BASE_URL || DEFAULT_SERVER));
  if (address !== undefined) return address;
  throw new Failure(
    `${given === undefined ? "REEVE_BASE_URL" : "the address of the server"} must be an http or https URL`,
  );
}

/** A token without the spaces around it. Throws a `Failure` for what no token can be. */
export function bearerToken(text: string, place: string): string {
  const token = text.trim();
  if (/^[\w.~+/=-]+$/.test(token)) return token;
  throw new Failure(`${place} holds no bearer token`);
}

/** Work with a client of the server. Its refusals and silence become `Failure`. */
export async function asking<T>(
  address: string,
  { refused, ...who }: Who,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const send = async (request: Request) => {
    const answer = await answerTo(request).catch((error: unknown) => {
      throw silenceOf(error, address);
    });
    if (answer.status === 401) refused?.();
    if (answer.ok && !answer.headers.has("x-request-id")) throw strange(address);
    return answer;
  };
  const options = { baseUrl: address, fetch: send, retries: RETRIES, maxRetryDelay: LONGEST_WAIT_MS, ...who };
  try {
    return await work(createClient(options));
  } catch (error) {
    if (ProblemError.is(error)) throw refusalOf(error, address);
    throw error;
  }
}

/** The answer once it has begun; a long one may take its time. A redirect would lead the token elsewhere. */
async function answerTo(request: Request): Promise<Response> {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(new DOMException("it took too long", "TimeoutError")), TIMEOUT_MS);
  try {
    return await fetch(request, { redirect: "error", signal: stop.signal });
  } finally {
    clearTimeout(late);
  }
}
