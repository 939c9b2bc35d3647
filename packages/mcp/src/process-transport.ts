import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { MCP_LIMITS } from "@reeve/core";
import type { McpCall } from "./call.js";
import { CallFailed } from "./failure.js";

/** A command that may be run as an MCP server over stdio. */
export interface McpCommand {
  /** The executable; without a slash it is looked up in `PATH`. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The environment of the process besides `PATH`. Nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Milliseconds that a process gets to end after its input is closed, and again after SIGTERM. */
const GRACE = 500;

/**
 * A transport over the standard streams of a process. The process leads its own group, so that closing also ends its
 * children. Its error output is discarded. (`stderr` and `pid` mark the transport as stdio for the client.)
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr = null;
  readonly #buffer = new ReadBuffer({ maxBufferSize: MCP_LIMITS.bytes });
  #child: ChildProcess | undefined;
  #gone: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly given: McpCommand,
    private readonly call: McpCall,
  ) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether the process was started and has ended. */
  get ended(): boolean {
    return this.#child !== undefined && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  async start(): Promise<void> {
    const { command, args = [], env = {}, cwd } = this.given;
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ["pipe", "pipe", "ignore"],
      shell: false,
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child = child;
    this.#gone = new Promise((resolve) => child.once("exit", resolve));
    child.stdin.on("error", () => {}); // reported by the end of the process
    child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    child.once("close", () => this.onclose?.());
    try {
      await once(child, "spawn");
    } catch {
      this.#child = undefined;
      throw new CallFailed("misconfigured", "command_failed");
    }
    child.on("error", () => {});
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (!input?.writable) throw new CallFailed("unreachable", "process_ended");
    if (!input.write(serializeMessage(message))) await once(input, "drain", { signal: this.call.signal });
  }

  /** Ends the process: closes its input, then SIGTERM, then SIGKILL for the rest of its group. Idempotent. */
  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.stdin?.end();
    if (!(await this.#within(GRACE))) {
      this.#signal(child, "SIGTERM");
      await this.#within(GRACE);
    }
    this.#signal(child, "SIGKILL");
    await this.#gone;
    child.stdout?.destroy();
  }

  #receive(chunk: Buffer): void {
    try {
      this.call.read(chunk.byteLength);
      this.#buffer.append(chunk);
      for (let message = this.#buffer.readMessage(); message; message = this.#buffer.readMessage())
        this.onmessage?.(message);
    } catch {
      this.call.fail(new CallFailed("protocol_error", "invalid_message"));
    }
  }

  async #within(ms: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    try {
      return await Promise.race([this.#gone.then(() => true), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Signals the whole group, which may have ended already. */
  #signal(child: ChildProcess, signal: NodeJS.Signals): void {
    try {
      if (process.platform === "win32") child.kill(signal);
      else if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
