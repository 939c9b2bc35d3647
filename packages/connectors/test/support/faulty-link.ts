import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What becomes of bytes on their way to the target. */
export type Fault =
  /** They arrive. */
  | "pass"
  /** They do not arrive, and nobody says so. */
  | "hang"
  /** Both sides are cut off before they arrive. */
  | "cut"
  /** They arrive, and the answer is lost with the connection. */
  | "lose answer";

/** A line between a client and a target on this machine that fails as told. */
export interface FaultyLink {
  readonly port: number;
  /** Asked of each part that the client sends. */
  fault(of: (sent: Buffer) => Fault): void;
  /** Connections of clients that are open now. */
  readonly open: number;
  close(): Promise<void>;
}

export async function faultyLink(targetPort: number): Promise<FaultyLink> {
  let decide: (sent: Buffer) => Fault = () => "pass";
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    clients.add(client);
    const end = () => {
      client.destroy();
      target.destroy();
      clients.delete(client);
    };
    for (const side of [client, target]) side.on("error", end).on("close", end);
    let silent = false;
    target.on("data", (answer) => (silent ? end() : client.write(answer)));
    client.on("data", (sent) => {
      const fault = silent ? "hang" : decide(sent);
      if (fault === "cut") return end();
      if (fault === "hang") return undefined;
      silent = fault === "lose answer";
      return target.write(sent);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    fault(of) {
      decide = of;
    },
    get open() {
      return clients.size;
    },
    async close() {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
