import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A server of the LDAP protocol that answers as told, and remembers what it was sent. */
export interface LyingServer {
  readonly port: number;
  readonly received: Buffer;
  close(): Promise<void>;
}

const length = (bytes: number): Buffer =>
  bytes < 128 ? Buffer.from([bytes]) : Buffer.from([0x83, bytes >> 16, (bytes >> 8) & 255, bytes & 255]);

/** A value of BER with its tag. */
const value = (tag: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([tag]), length(body.length), body]);
};
const message = (id: number, ...parts: readonly Buffer[]) => value(0x30, value(2, Buffer.from([id])), ...parts);
const result = (tag: number, code: number) => value(tag, value(10, Buffer.from([code])), value(4, ""), value(4, ""));

const PAGED_RESULTS = "1.2.840.113556.1.4.319";
export const REQUESTS = { bind: 0x60, search: 0x63, modify: 0x66, compare: 0x6e, extended: 0x77 } as const;

/** The numbers and kinds of the requests in what a client sent at once. */
export function* requestsIn(sent: Buffer): Generator<readonly [id: number, request: number]> {
  for (let at = 0; at < sent.length; ) {
    const first = sent[at + 1] as number;
    const more = first < 128 ? 0 : first & 127; // bytes of the length, if it is longer than 127
    const start = at + 2 + more;
    yield [sent[start + 2] as number, sent[start + 3] as number];
    at = start + (more === 0 ? first : sent.readUIntBE(at + 2, more));
  }
}

/** An entry with attributes of one value. */
export const entry = (id: number, dn: string, attributes: Readonly<Record<string, string>>): Buffer =>
  message(
    id,
    value(
      0x64,
      value(4, dn),
      value(
        0x30,
        ...Object.entries(attributes).map(([name, text]) => value(0x30, value(4, name), value(0x31, value(4, text)))),
      ),
    ),
  );

/** The end of a page, after which there is another one. */
export const morePages = (id: number): Buffer =>
  message(
    id,
    result(0x65, 0),
    value(
      0xa0,
      value(0x30, value(4, PAGED_RESULTS), value(4, value(0x30, value(2, Buffer.from([0])), value(4, "again")))),
    ),
  );

export const done = (id: number): Buffer => message(id, result(0x65, 0));

/** Lets everybody in. `search` gives the answer to a search; `startTls` is the result code of an upgrade. */
export async function lyingServer(search: (id: number) => Iterable<Buffer>, startTls = 2): Promise<LyingServer> {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (part) => {
      received.push(part);
      for (const [id, request] of requestsIn(part)) {
        if (request === REQUESTS.bind) socket.write(message(id, result(0x61, 0)));
        if (request === REQUESTS.extended) socket.write(message(id, result(0x78, startTls)));
        if (request === REQUESTS.modify) socket.write(message(id, result(0x67, 0)));
        if (request === REQUESTS.compare) socket.write(message(id, result(0x6f, 5)));
        if (request === REQUESTS.search) for (const answer of search(id)) socket.write(answer);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get received() {
      return Buffer.concat(received);
    },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
