import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { undoLater } from "./undo.js";

/** An event as messages hold it. */
interface Received {
  readonly id: string;
  readonly subject: string;
  readonly sequence: string;
  readonly type: string;
  readonly data: unknown;
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver on loopback, which verifies messages by the library of the specification. */
export class WebhookReceiver {
  /** The events of messages that it took, in order of arrival. */
  readonly taken: Received[] = [];
  /** All messages, as they came. */
  readonly messages: Message[] = [];
  /** What it answers. Below 200 it closes the connection without an answer. */
  answer = 204;
  secret = "";
  /** What happens before each answer. */
  before = () => {};
  #server: Server | undefined;
  port = 0;

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await receiver.listen();
    undoLater(() => receiver.stop());
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/reeve`;
  }

  /** Listens, on the same port after a stop. */
  async listen(): Promise<void> {
    const server = createServer(async (request, response) => {
      const message = await read(request);
      this.messages.push(message);
      this.before();
      if (this.answer < 200) return void request.socket.destroy();
      if (this.answer < 300) this.taken.push((verified(message, this.secret) as { data: Received }).data);
      response.writeHead(this.answer).end();
    });
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  }
}

/** What a message says, if this secret has signed it. Throws otherwise. */
export function verified({ headers, body }: Message, secret: string): unknown {
  return new Webhook(secret).verify(body, headers);
}

async function read(request: IncomingMessage): Promise<Message> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return { headers: Object.fromEntries(headers), body: Buffer.concat(parts).toString() };
}
