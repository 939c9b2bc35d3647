import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { undoLater } from "./undo.js";

let targets = 0;

/** A path that is held back. */
interface Hold {
  readonly path: string;
  readonly release: Promise<void>;
  readonly arrived: () => void;
}

/**
 * A target whose tokens do not last. A refresh token is good for once; one that comes again ends all tokens, as OAuth
 * servers do.
 */
export class RotatingTarget {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  /** Requests by path. */
  readonly requests: string[] = [];
  /** The tokens that are good now. */
  current = { token: "token-0", refreshToken: "refresh-0" };
  /** How many models it lists. */
  models = 500;
  /** How often a refresh token came again. */
  reused = 0;
  #refreshes = 0;
  #lie: object | undefined;
  readonly #arrivals = new EventEmitter();
  #hold: Hold | undefined;
  /** What the ids of its models begin with, so that no two targets have the same. */
  readonly #prefix = `model-of-${++targets}`;

  static async start(): Promise<RotatingTarget> {
    const target = new RotatingTarget();
    target.#server.listen(0, "127.0.0.1");
    await once(target.#server, "listening");
    undoLater(async () => {
      target.#server.closeAllConnections();
      target.#server.close();
    });
    return target;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How often a refresh token was exchanged. */
  get refreshes(): number {
    return this.#refreshes;
  }

  /** Ends the token, and leaves the one to refresh it with. */
  expire(): void {
    this.current = { ...this.current, token: `token-of-nobody-${this.#refreshes}` };
  }

  /** Answers every refresh with these from now on, and does nothing; the truth again where it is `undefined`. */
  lie(tokens: object | undefined): void {
    this.#lie = tokens;
  }

  /** Waits until a path was asked for so many times. */
  async asked(path: string, times: number): Promise<void> {
    while (this.requests.filter((one) => one === path).length < times) await once(this.#arrivals, "request");
  }

  /** Holds the next request of a path back, before anything is done about it. */
  hold(path: string): { readonly arrived: Promise<void>; release(): void } {
    let release = () => {};
    let arrived = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const came = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    this.#hold = { path, release: released, arrived };
    return { arrived: came, release };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const body = await text(request);
    this.requests.push(path);
    this.#arrivals.emit("request");
    if (this.#hold?.path === path) {
      const { arrived, release } = this.#hold;
      this.#hold = undefined;
      arrived();
      await release;
    }
    const { status, json } = this.#told(path, request.headers.authorization, body);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  }

  #told(path: string, authorization: string | undefined, body: string) {
    const [, from, size] = /^\/models\/(\d+)\/(\d+)$/.exec(path) ?? [];
    if (from !== undefined) return { status: 200, json: this.#models(Number(from), Number(size)) };
    return path === "/me" ? this.#me(authorization) : this.#refresh(body);
  }

  #models(from: number, size: number) {
    const to = Math.min(from + size, this.models);
    const ids = Array.from({ length: to - from }, (_unused, at) => `${this.#prefix}-${from + at}`);
    return to < this.models ? { ids, next: String(to) } : { ids };
  }

  #me(authorization: string | undefined) {
    return authorization === `Bearer ${this.current.token}` ? { status: 200, json: {} } : { status: 401, json: {} };
  }

  #refresh(body: string) {
    if (this.#lie) return { status: 200, json: this.#lie };
    if (JSON.parse(body).refreshToken !== this.current.refreshToken) {
      this.reused += 1;
      this.current = { token: "nothing", refreshToken: "nothing" };
      return { status: 400, json: {} };
    }
    this.#refreshes += 1;
    this.current = { token: `token-${this.#refreshes}`, refreshToken: `refresh-${this.#refreshes}` };
    return { status: 200, json: this.current };
  }
}
