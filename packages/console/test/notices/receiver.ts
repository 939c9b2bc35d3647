import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Another system on loopback that takes whatever is posted to it, and keeps it. */
export async function receiver() {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    messages.push({ headers, body: Buffer.concat(parts).toString() });
    response.writeHead(200).end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/a-secret-of-this-channel`,
    messages,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof receiver>>;
