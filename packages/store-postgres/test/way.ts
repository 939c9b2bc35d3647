import { once } from "node:events";
import { createServer, connect as dial, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { Aim, Messages, type Side, type Strike } from "./strike.js";

/** How long `late` bytes are under way after their sender was cut off, in ms. */
const LATE_MS = 20;

/** How long a line that is slow takes between two messages, in ms, so that they arrive apart. */
const MESSAGE_MS = 2;

/** How the server says that an administrator ends its connection. */
const TERMINATED = errorMessage({ S: "FATAL", V: "FATAL", C: "57P01", M: "terminating connection" });

/** What happens to the last confirmation of a statement with a tag. */
export interface Termination {
  readonly tag: string;
  /** Whether the connection ends before the confirmation has left, or right after it. */
  readonly moment: "before" | "after";
}

/** A proxy to a database that makes the faults of a network and of a server that is stopped. */
export async function openWay(url: string) {
  const target = new URL(url);
  const open = new Set<Socket>();
  let losing: string | undefined;
  let terminating: Termination | undefined;
  let silent = false;
  let isSlow = false;
  let aim = new Aim();
  const server = createServer((client) => {
    const upstream = dial(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => open.delete(socket));
    }
    let lost = false;
    let isSilent = false;
    let isOrphan = false;
    const messages = { client: new Messages("client"), server: new Messages("server") };
    const ends = { client: [upstream, client], server: [client, upstream] } as const;

    /** Passes bytes on up to the moment of a strike, and lets it happen. */
    const pass = (from: Side, bytes: Buffer) => {
      const current = aim;
      const found = messages[from].in(bytes);
      const moment = current.momentIn(from, bytes, found);
      const [to] = ends[from];
      if (moment === undefined && isSlow && from === "server") return void trickle(bytes, found);
      if (moment === undefined) return void to.write(bytes);
      const [before, rest] = [bytes.subarray(0, moment), bytes.subarray(moment)];
      const { fault } = current;
      if (typeof fault === "function") return void interrupt(from, before, rest, fault);
      if (fault === "hang") {
        to.write(before);
        isSilent = true;
        return undefined;
      }
      if (fault === "cut" || from === "server") {
        to.end(before);
        return void ends[from][1].destroy();
      }
      isOrphan = true;
      to.write(before);
      client.destroy();
      void setTimeout(fault === "late" ? LATE_MS : 0).then(() => upstream.end(rest));
    };
    /** Passes on what the server sends message by message. */
    const trickle = async (bytes: Buffer, found: readonly { readonly end: number }[]) => {
      upstream.pause();
      let start = 0;
      for (const end of [...found.map((message) => Math.min(message.end, bytes.length)), bytes.length]) {
        if (end > start) client.write(bytes.subarray(start, end));
        start = Math.max(start, end);
        await setTimeout(MESSAGE_MS);
      }
      upstream.resume();
    };
    const interrupt = async (from: Side, before: Buffer, rest: Buffer, work: (port: number) => Promise<void>) => {
      const [to] = ends[from];
      to.write(before);
      client.pause();
      upstream.pause();
      await work(upstream.localPort as number);
      if (rest.length > 0) to.write(rest);
      client.resume();
      upstream.resume();
    };

    client.on("data", (bytes) => {
      isSilent ||= silent;
      if (isSilent) return;
      if (losing !== undefined && bytes.includes(losing)) lost = true;
      pass("client", bytes);
    });
    upstream.on("data", (bytes) => {
      if (isSilent) return;
      const cut = terminating && cutOf(bytes, terminating);
      if (lost) client.destroy();
      else if (cut === undefined) pass("server", bytes);
      else client.end(Buffer.concat([bytes.subarray(0, cut), TERMINATED]));
    });
    client.on("close", () => isOrphan || upstream.end());
    upstream.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const through = new URL(url);
  through.port = String((server.address() as { port: number }).port);
  return {
    url: through.href,
    /** Drops the answers to requests with this text: they arrive, and the connection breaks before the answer. */
    lose(text: string | undefined) {
      losing = text;
    },
    /** Ends connections at the confirmation of a statement, as a server does that is told to stop. */
    terminate(at: Termination | undefined) {
      terminating = at;
    },
    /** Counts messages from now on, and strikes once. Tells what was counted, and whether it came to the strike. */
    strike(at?: Strike): Pick<Aim, "seen" | "statements" | "hasStruck"> {
      aim = new Aim(at);
      return aim;
    },
    /** Passes nothing on any more, on any connection that is used from now on, and closes none. */
    silence(on: boolean) {
      silent = on;
    },
    /** Passes each message of the server on by itself. */
    slow(on: boolean) {
      isSlow = on;
    },
  };
}

/** Where to cut what a server sends, in bytes. */
function cutOf(bytes: Buffer, { tag, moment }: Termination): number | undefined {
  const at = bytes.lastIndexOf(`${tag}\0`);
  if (at < 0) return undefined;
  const [header, end] = [5, tag.length + 1];
  return moment === "before" ? at - header : at + end;
}

function errorMessage(fields: Readonly<Record<string, string>>): Buffer {
  const text = `${Object.entries(fields)
    .map(([key, value]) => `${key}${value}\0`)
    .join("")}\0`;
  const message = Buffer.alloc(5 + Buffer.byteLength(text));
  message.write("E", 0);
  message.writeInt32BE(message.length - 1, 1);
  message.write(text, 5);
  return message;
}
