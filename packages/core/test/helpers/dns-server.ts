import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, encode } from "dns-packet";
import { undoLater } from "./undo.js";

/** How a name server handles questions. */
type Manner = "answers" | "fails" | "is silent";

/** A DNS server on loopback with configurable TXT records. */
export class DnsServer {
  readonly #records = new Map<string, readonly (readonly string[])[]>();
  readonly #socket = createSocket("udp4");
  /** The names in questions, one entry per question. A slow process asks a question again, which counts once. */
  readonly asked: string[] = [];
  readonly #ids = new Set<number | undefined>();
  manner: Manner = "answers";

  static async start(): Promise<DnsServer> {
    const server = new DnsServer();
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    undoLater(async () => void server.#socket.close());
    return server;
  }

  private constructor() {
    this.#socket.on("message", (bytes, { port, address }) => {
      const query = decode(bytes);
      const [question] = query.questions ?? [];
      if (!question) return;
      if (!this.#ids.has(query.id)) this.asked.push(question.name);
      this.#ids.add(query.id);
      if (this.manner === "is silent") return;
      const texts = this.#records.get(question.name.toLowerCase());
      const rcode = this.manner === "fails" ? 2 : texts === undefined ? 3 : 0;
      const answer = encode({
        type: "response",
        id: query.id ?? 0,
        // Recursion desired and available. The low bits are the response code.
        flags: 0x0180 | rcode,
        questions: [question],
        answers: (rcode === 0 ? (texts ?? []) : []).map((data) => ({
          type: "TXT" as const,
          name: question.name,
          ttl: 0,
          data: [...data],
        })),
      });
      this.#socket.send(answer, port, address);
    });
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /**
   * Publishes one TXT record per text. A list of texts is one record of several strings. Without texts the name has no
   * TXT record.
   */
  publish(name: string, ...texts: readonly (string | readonly string[])[]): void {
    this.#records.set(
      name,
      texts.map((text) => (typeof text === "string" ? [text] : text)),
    );
  }

  /** Removes the name. */
  withdraw(name: string): void {
    this.#records.delete(name);
  }
}
