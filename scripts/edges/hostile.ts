import { connect, type Socket } from "node:net";

/** What came back on one connection, and how much of the request was taken. */
export interface Outcome {
  /** Status of the answer; `undefined` when the connection was closed without one. */
  readonly status: number | undefined;
  readonly text: string;
  readonly sent: number;
}

/** Milliseconds to wait for an answer. */
const PATIENCE = 5_000;
/** Bytes after which a body has no end in the eyes of its server. */
const ENDLESS = 8 * 1_048_576;

/** Sends bytes as they are and waits for an answer or the end of the connection. */
export function sendRaw(url: string, text: string): Promise<Outcome> {
  return talk(url, (socket) => void socket.write(text));
}

/** A body in chunks that goes on until the server answers, closes or has taken far too much. Then it ends. */
export function sendEndless(url: string, head: string): Promise<Outcome> {
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  return talk(url, (socket, reported) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    const more = () => {
      if (socket.destroyed || reported.answered) return;
      if (reported.sent >= ENDLESS) return void socket.write("0\r\n\r\n");
      reported.sent += chunk.length;
      // One at a time, so that an answer is seen before the next one.
      socket.write(chunk, () => setImmediate(more));
    };
    more();
  });
}

/** Hangs up in the middle of a request. */
export function hangUp(url: string, text: string): Promise<Outcome> {
  return talk(url, (socket) => void socket.write(text, () => setImmediate(() => socket.destroy())));
}

interface Reported {
  sent: number;
  answered: boolean;
}

function talk(url: string, work: (socket: Socket, reported: Reported) => void): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const reported: Reported = { sent: 0, answered: false };
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => work(socket, reported));
    const timer = setTimeout(() => socket.destroy(), PATIENCE);
    const isWhole = () => /^HTTP\/1\.1 [^1].*?\r\n\r\n/s.test(text);
    socket.on("data", (data) => {
      text += data;
      reported.answered = isWhole();
      // A little later, so that a text in the body is seen too.
      if (reported.answered) setImmediate(() => socket.destroy());
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]) || undefined, text, sent: reported.sent });
    });
  });
}
