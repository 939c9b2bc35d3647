import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address } from "./target.js";

/** An answer of a target that speaks HTTP and JSON. */
export interface Answer {
  readonly body: unknown;
  /** Values of its headers `Link`. */
  readonly links: readonly string[];
}

/** Changes an answer of a path; `first` is the first answer below it. */
export type AnswerChange = (answer: Answer, first: Answer, path: string) => Answer;

/** Headers that tell how an answer was sent. */
const OF_THE_WAY = new Set([
  "content-length",
  "transfer-encoding",
  "content-encoding",
  "connection",
  "keep-alive",
  "link",
]);

/** Stands between a connector and a target that speaks HTTP, and changes what its answers say of their listing. */
export class PageRelay {
  readonly #target: Address;
  readonly #server: Server;
  readonly #change: AnswerChange;
  readonly #first = new Map<string, Answer>();

  private constructor(target: Address, change: AnswerChange) {
    this.#target = target;
    this.#change = change;
    this.#server = createServer((incoming, outgoing) => {
      this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  static async start(target: Address, change: AnswerChange): Promise<PageRelay> {
    const relay = new PageRelay(target, change);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get address(): Address {
    return { host: "127.0.0.1", port: (this.#server.address() as AddressInfo).port };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url = "/", headers } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const passed = Object.entries(headers).filter(([name]) => !OF_THE_WAY.has(name));
    const own = {
      ...Object.fromEntries(passed),
      host: `${this.#target.host}:${this.#target.port}`,
      "accept-encoding": "identity",
      ...(body.length > 0 ? { "content-length": body.length } : {}),
    };
    const sent = request({ ...this.#target, method, path: url, headers: own, agent: false });
    if (body.length > 0) sent.write(body);
    sent.end();
    const [given] = (await once(sent, "response")) as [IncomingMessage];
    const bytes = Buffer.concat(await given.toArray());
    const kept = Object.entries(given.headers).filter(([name]) => !OF_THE_WAY.has(name));
    const links = [given.headers.link ?? []].flat();
    const before = { body: parsed(bytes), links: links.map((link) => this.#rebased(link, headers.host)) };
    const path = new URL(url, "http://target").pathname;
    if (!this.#first.has(path)) this.#first.set(path, before);
    const isPage = given.statusCode === 200 && typeof before.body === "object" && before.body !== null;
    const after = isPage ? this.#change(before, this.#first.get(path) as Answer, path) : before;
    outgoing.writeHead(given.statusCode ?? 502, {
      ...Object.fromEntries(kept),
      ...(after.links.length > 0 ? { link: [...after.links] } : {}),
    });
    outgoing.end(after.body === before.body ? bytes : JSON.stringify(after.body));
  }

  /** Links of the target lead to the relay, as they would to a target at its address. */
  #rebased(link: string, host: string | undefined): string {
    const { host: name, port } = this.#target;
    return host === undefined ? link : link.replaceAll(`://${name}:${port}`, `://${host}`);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
