import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AuditSink } from "@reeve/core";
import { freePort } from "@reeve/testkit/postgres";
import { expect, onTestFinished, vi } from "vitest";
import { jsonLines } from "../../src/audit/json-lines.js";
import { RSYSLOG, rsyslogArgs } from "./rsyslog.js";

/** Something that events are sent to, which a test can kill and start again. */
export interface Receiver {
  readonly name: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** How many bytes it has. */
  size(): number;
  /** The texts of all events that it has, in the order of their arrival. */
  texts(): string[];
}

const PROGRAM = fileURLToPath(new URL("receiver.mjs", import.meta.url));

const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []);

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** A program that a test starts, and that ends with it. */
class Program {
  #child: ChildProcess | undefined;

  constructor(
    readonly command: string,
    readonly args: readonly string[],
  ) {
    onTestFinished(() => this.kill());
  }

  run(): ChildProcess {
    this.#child = spawn(this.command, this.args, { stdio: ["ignore", "pipe", "ignore"] });
    return this.#child;
  }

  readonly kill = async (): Promise<void> => {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
}

/** A receiver over HTTP in a process of its own. */
class HttpReceiver implements Receiver {
  readonly #file: string;
  readonly #program: Program;

  constructor(
    at: string,
    readonly name: "webhook" | "otlp",
    readonly port: number,
    secret = "",
  ) {
    this.#file = join(at, `${name}.jsonl`);
    this.#program = new Program(process.execPath, [PROGRAM, name, String(port), this.#file, secret]);
  }

  async start(): Promise<void> {
    const child = this.#program.run();
    if (child.stdout) await once(child.stdout, "data");
  }

  kill = () => this.#program.kill();
  size = () => sizeOf(this.#file);
  texts = () => linesOf(this.#file);
}

/** Takes webhooks, and verifies them by the library of the specification. */
export const webhookReceiver = (at: string, port: number, secret: string): Receiver =>
  new HttpReceiver(at, "webhook", port, secret);

/** Takes logs of OTLP in JSON. */
export async function otlpReceiver(at: string): Promise<Receiver & { readonly url: string }> {
  const port = await freePort();
  return Object.assign(new HttpReceiver(at, "otlp", port), { url: `http://127.0.0.1:${port}/v1/logs` });
}

/** Debian's rsyslogd over TLS. Ask `RSYSLOG` first whether it is there. */
export async function rsyslogReceiver(at: string): Promise<Receiver & { readonly port: number; readonly ca: string }> {
  const [port, out] = [await freePort(), join(at, "syslog.log")];
  const daemon = new Program(RSYSLOG.path as string, rsyslogArgs(at, port, out));
  return {
    name: "syslog",
    ...{ port, ca: join(at, "cert.pem") },
    async start() {
      rmSync(join(at, "pid"), { force: true });
      daemon.run();
      await vi.waitFor(() => listening(port), { timeout: 20_000, interval: 50 });
    },
    kill: () => daemon.kill(),
    size: () => sizeOf(out),
    // The text of a message begins with a mark of byte order.
    texts: () => linesOf(out).map((line) => line.replace(/^[^{]*/, "")),
  };
}

/** A file of lines in a folder that can be gone. Whoever wrote is torn off within a line then, as on a full disk. */
export function fileReceiver(at: string): Receiver & { readonly sink: AuditSink } {
  const [folder, away] = [join(at, "lines"), join(at, "away")];
  const file = join(folder, "audit.jsonl");
  mkdirSync(away);
  const { name, take } = jsonLines(file, "cloudevents");
  let writing = 0;
  return {
    name: "file",
    sink: {
      name,
      async take(events, tenantId) {
        writing += 1;
        await take(events, tenantId).finally(() => {
          writing -= 1;
        });
      },
    },
    async start() {
      renameSync(away, folder);
    },
    async kill() {
      renameSync(folder, away);
      await vi.waitFor(() => expect(writing).toBe(0), { timeout: 20_000, interval: 5 });
      appendFileSync(join(away, "audit.jsonl"), TORN);
    },
    size: () => sizeOf(file),
    texts: () => linesOf(file).filter((line) => !line.startsWith(TORN)),
  };
}

const TORN = '{"tenant":"ten_';

async function listening(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
}
