import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, encode } from "dns-packet";
import { undoLater } from "./undo.js";

/** What a name server does with questions: answers them, says that it cannot, or says nothing. */
type Manner = "answers" | "fails" | "is silent";

/** A name server on loopback that speaks the real protocol and knows the TXT records it is given. */
export class DnsServer {
  readonly #records = new Map<string, readonly (readonly string[])[]>();
  readonly #socket = createSocket("udp4");
  /** Names that were asked for, one entry a question. */
  readonly asked: string[] = [];
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
      this.asked.push(question.name);
      if (this.manner === "is silent") return;
      const texts = this.#records.get(question.name.toLowerCase());
      const rcode = this.manner === "fails" ? 2 : texts === undefined ? 3 : 0;
      const answer = encode({
        type: "response",
        id: query.id ?? 0,
        // Recursion desired and available; the low bits say how it went.
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

  /** Publishes TXT records, one for each text; a text in parts is one record of several strings. No text: the name has no TXT. */
  publish(name: string, ...texts: readonly (string | readonly string[])[]): void {
    this.#records.set(
      name,
      texts.map((text) => (typeof text === "string" ? [text] : text)),
    );
  }

  /** Has the name not exist any more. */
  withdraw(name: string): void {
    this.#records.delete(name);
  }
}
