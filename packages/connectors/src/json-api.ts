import { type ConnectorContext, ConnectorError, expectOk } from "@reeve/core/connectors";
import type { z } from "zod";

/** A JSON API at one address, with the credentials that it gets. */
export interface JsonApi {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The header of a bearer token; none without a token. */
export function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

export interface JsonRequest {
  /** What it is for, such as "Listing the groups". Begins the message of a failure. */
  readonly what: string;
  /** Segments of the path below the base, not encoded. */
  readonly path: readonly string[];
  readonly query?: URLSearchParams | Readonly<Record<string, string>>;
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly body?: unknown;
}

type Fetching = Pick<ConnectorContext, "fetch">;

/**
 * The answer of the API if its status is 2xx. Redirects are failures: what is meant for the API goes nowhere else.
 * A write that the API failed to answer may have happened, and is `outcome_unknown`.
 */
export async function callApi(ctx: Fetching, api: JsonApi, request: JsonRequest): Promise<Response> {
  const { what, method = "GET", body } = request;
  const response = await ctx.fetch(urlOf(api, request), {
    method,
    headers: { accept: "application/json", ...api.headers },
    redirect: "manual",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new ConnectorError("config", `${what} failed: the target redirects. Configure the address it leads to.`, {
      code: "redirect",
      httpStatus: response.status,
    });
  }
  if (method === "GET" || response.status < 500) return expectOk(response, what);
  await response.body?.cancel();
  throw new ConnectorError("outcome_unknown", `${what} may have happened: the target answered ${response.status}.`, {
    httpStatus: response.status,
  });
}

/** The body of the API's answer, in the shape that is expected. Rejects with class `invalid` for any other. */
export async function readApi<T>(ctx: Fetching, api: JsonApi, request: JsonRequest, shape: z.ZodType<T>): Promise<T> {
  return bodyOf(await callApi(ctx, api, request), request.what, shape);
}

/** The same of an answer that is there already. */
export async function bodyOf<T>(response: Response, what: string, shape: z.ZodType<T>): Promise<T> {
  return shaped(parsed(await response.text()), what, shape);
}

/** A value of an answer, in the shape that is expected. */
export function shaped<T>(value: unknown, what: string, shape: z.ZodType<T>): T {
  const { data, success } = shape.safeParse(value);
  if (success) return data;
  throw new ConnectorError("invalid", `${what} failed: the target's answer has not the expected shape.`, {
    code: "unexpected_shape",
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function urlOf({ baseUrl }: JsonApi, { path, query }: JsonRequest): string {
  const url = new URL(baseUrl);
  url.pathname = [url.pathname.replace(/\/+$/, ""), ...path.map(segment)].join("/");
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value);
  return url.href;
}

/** Dots alone would lead to another path. */
function segment(text: string): string {
  if (text !== "" && text !== "." && text !== "..") return encodeURIComponent(text);
  throw new ConnectorError("invalid", "An id cannot be part of an address.", { code: "invalid_id" });
}
