import { ApiDocument } from "@reeve/testkit/openapi";
import { Unexpected } from "./expectation.js";

/** A JSON object of an answer. */
export type Json = Record<string, unknown>;

/** An answer of the server with the expected status. */
export interface Answer<T> {
  readonly status: number;
  readonly body: T;
  /** The body exactly as received. */
  readonly text: string;
  readonly headers: Headers;
}

interface Request {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status, or all that are as good; 200 when absent. */
  readonly expect?: number | readonly number[];
  /** The expected `code` of the problem document. */
  readonly code?: string;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Calls the server as one person, or without a token. Throws on an unexpected answer, and on one that the server's OpenAPI
 * document does not allow.
 */
export class Client {
  private constructor(
    readonly baseUrl: string,
    readonly published: ApiDocument,
    readonly token?: string,
  ) {}

  /** A client without a token. Reads the server's OpenAPI document. */
  static async of(baseUrl: string): Promise<Client> {
    const response = await fetch(`${baseUrl}/openapi.json`);
    return new Client(baseUrl, new ApiDocument((await response.json()) as Json));
  }

  /** A client of the same server with another token. */
  as(token: string): Client {
    return new Client(this.baseUrl, this.published, token);
  }

  get<T = Json>(path: string, request: Request = {}): Promise<Answer<T>> {
    return this.#send<T>("GET", path, request);
  }

  post<T = Json>(path: string, body: unknown, request: Request = {}): Promise<Answer<T>> {
    return this.#send<T>("POST", path, { expect: 201, ...request, body });
  }

  put<T = Json>(path: string, body: unknown, request: Request = {}): Promise<Answer<T>> {
    return this.#send<T>("PUT", path, { ...request, body });
  }

  patch<T = Json>(path: string, body: unknown, request: Request = {}): Promise<Answer<T>> {
    return this.#send<T>("PATCH", path, { ...request, body });
  }

  /** Deletes a resource. Expects 204 by default. */
  remove(path: string, request: Request = {}): Promise<Answer<undefined>> {
    return this.#send<undefined>("DELETE", path, { expect: 204, ...request });
  }

  async #send<T>(method: Method, path: string, { body, headers, expect = 200, code }: Request): Promise<Answer<T>> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = parse(text);
    const got = (parsed as Json | undefined)?.code;
    const statuses = [expect].flat();
    if (!statuses.includes(response.status) || (code !== undefined && got !== code)) {
      const wanted = [statuses.join(" or "), code].join(" ").trim();
      const requestId = response.headers.get("x-request-id") ?? undefined;
      throw new Unexpected(`${method} ${path}`, wanted, `${response.status} ${text.slice(0, 600)}`, requestId);
    }
    this.#mustBeDescribed(method, path, response, text);
    return { status: response.status, body: parsed as T, text, headers: response.headers };
  }

  #mustBeDescribed(method: Method, path: string, { status, headers }: Response, text: string): void {
    const operationId = this.published.operationAt(method, path);
    const contentType = headers.get("content-type") ?? undefined;
    const faults = this.published.answerFaults({ operationId, status, contentType, text });
    const requestId = headers.get("x-request-id") ?? undefined;
    if (faults.length > 0)
      throw new Unexpected(`${method} ${path}`, "as in /openapi.json", faults.join("; "), requestId);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
