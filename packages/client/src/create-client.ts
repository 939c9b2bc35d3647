// A default import of this package differs between its formats.
import { createPathBasedClient } from "openapi-fetch";
import { withToken } from "./authorized.js";
import { type AnyInit, readBody, requestOf, type Verb } from "./call.js";
import type { Call, Walk } from "./call-types.js";
import type { paths } from "./openapi.generated.js";
import { type ClientOptions, checkOptions } from "./options.js";
import { walkItems, walkPages } from "./pages.js";
import { ProblemError } from "./problem-error.js";
import { writeQuery } from "./query.js";
import { withRetries } from "./retries.js";
import { answered, type Send } from "./send.js";
import { givenToken, type Session } from "./session.js";
import { clientSession, passwordSession } from "./sign-in.js";

/** Calls the operations of Reeve by method and path; the types know what each takes and answers. */
export interface Client {
  readonly GET: Call<"get">;
  readonly POST: Call<"post">;
  readonly PUT: Call<"put">;
  readonly PATCH: Call<"patch">;
  readonly DELETE: Call<"delete">;
  /** The pages of a list, from the `page` or `cursor` of the query to the end. */
  readonly pages: Walk<"page">;
  /** What a list holds, page after page. */
  readonly items: Walk<"item">;
}

/** What openapi-fetch makes of a path. */
type OperationsAt = Record<Verb, (request: object) => Promise<{ response: Response; error?: unknown }>>;

/**
 * A client of Reeve's HTTP API. Options that cannot work are refused with a `TypeError`, and calls that the service refuses
 * with a `ProblemError`.
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(options);
  const { fetch = (request) => globalThis.fetch(request), retries = 3, maxRetryDelay = 60_000 } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const send = withRetries(answered(fetch), { retries, maxRetryDelay });
  const inner = createPathBasedClient<paths>({
    baseUrl,
    fetch: withToken(send, sessionOf(options, send, baseUrl)),
    querySerializer: writeQuery,
    ...(options.headers ? { headers: options.headers } : {}),
  });
  const caller = (verb: Verb) => async (path: string, init?: AnyInit) => {
    const operations = inner[path as keyof paths] as unknown as OperationsAt;
    const { response, error } = await operations[verb](requestOf(verb, path, init));
    if (!response.ok) throw new ProblemError(response, error);
    return { data: await readBody(response, init?.parseAs), response };
  };
  const GET = caller("GET");
  return {
    GET,
    POST: caller("POST"),
    PUT: caller("PUT"),
    PATCH: caller("PATCH"),
    DELETE: caller("DELETE"),
    pages: (path: string, init?: AnyInit) => walkPages(GET, path, init),
    items: (path: string, init?: AnyInit) => walkItems(GET, path, init),
  } as Client;
}

function sessionOf({ token, signIn, clientCredentials }: ClientOptions, send: Send, baseUrl: string): Session {
  if (signIn) return passwordSession(send, baseUrl, signIn);
  if (clientCredentials) return clientSession(send, baseUrl, clientCredentials);
  return givenToken(token);
}
