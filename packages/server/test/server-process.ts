import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inject } from "vitest";

/** The server in a process of its own, bundled from its sources. */
export class ServerProcess {
  output = "";
  errors = "";
  readonly ended: Promise<number | null>;

  private constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (text) => (this.output += text));
    child.stderr?.setEncoding("utf8").on("data", (text) => (this.errors += text));
    this.ended = once(child, "close").then(([code]) => code as number | null);
  }

  /** Starts it in `directory` with only these settings. */
  static spawn(directory: string, settings: Record<string, string>): ServerProcess {
    return ServerProcess.run("serve", directory, settings);
  }

  /** Starts a command of `reeve` with `input` on its standard input. */
  static run(
    command: string,
    directory: string,
    settings: Record<string, string>,
    options: readonly string[] = [],
    input = "",
  ): ServerProcess {
    const { PATH = "" } = process.env;
    const file = inject("programs")["packages/server/src/reeve.ts"];
    const child = spawn(process.execPath, [file, command, ...options], {
      cwd: directory,
      env: { PATH, ...settings },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end(input);
    return new ServerProcess(child);
  }

  /** Resolves when it prints that it is ready, and rejects when it ends instead. */
  async ready(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      const look = () => this.errors.includes("Reeve is ready") && resolve();
      this.child.stderr?.on("data", look);
      this.ended.then((code) => reject(new Error(`the server ended with ${code}: ${this.errors}`)), reject);
      look();
    });
    return this;
  }

  async stop(...signals: NodeJS.Signals[]): Promise<number | null> {
    for (const signal of signals) this.child.kill(signal);
    return this.ended;
  }

  /** Its log records, one per line. */
  get records(): Record<string, unknown>[] {
    return this.output
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }
}
