import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { undoLater } from "./undo.js";

/** A receiver of chat messages on loopback, which keeps what it is sent. */
export class ChatReceiver {
  /** The messages, in order of arrival. */
  readonly messages: string[] = [];
  /** What it answers. */
  answer = 200;

  private constructor(readonly url: string) {}

  static async start(): Promise<ChatReceiver> {
    let receiver: ChatReceiver | undefined;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      receiver?.messages.push(Buffer.concat(chunks).toString("utf8"));
      response.writeHead(receiver?.answer ?? 500).end("ok");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    receiver = new ChatReceiver(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/secret-of-this-channel`,
    );
    undoLater(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return receiver;
  }
}
