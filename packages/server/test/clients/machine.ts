import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { ServerProcess } from "../server-process.js";

/** Gives the program `/etc` and `/usr/local/bin` with the machine's files before those that are really there. */
const ENTER = `for folder in etc usr/local/bin; do
  mount -t overlay overlay -o "lowerdir=$0/$folder:/$folder" "/$folder" || exit 125
done
cd "$0/work" && exec "$@"`;

/** Whether programs can be given an `/etc` of their own here. */
export const hasNamespaces = spawnSync("unshare", ["--map-root-user", "--mount", "true"]).status === 0;

/** A machine on which a client runs: files of its administrator, a home, and the commands of Reeve. */
export class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), "reeve-machine-"));
  readonly work = join(this.folder, "work");
  readonly home = join(this.folder, "home");

  constructor() {
    for (const name of ["work", "home", "etc/reeve", "usr/local/bin"])
      mkdirSync(join(this.folder, name), { recursive: true });
    const reeve = join(this.folder, "usr/local/bin/reeve");
    const program = inject("programs")["packages/server/src/reeve.ts"];
    writeFileSync(reeve, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
    chmodSync(reeve, 0o755);
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Runs `reeve` as the administrator. Returns its exit code and what it printed. */
  async reeve(command: string, options: readonly string[], env: Record<string, string> = {}) {
    const file = join(this.folder, "etc/reeve/installation.json");
    const child = ServerProcess.run(command, this.work, { REEVE_INSTALLATION_FILE: file, ...env }, options);
    const code = await child.ended;
    return { code, errors: child.errors };
  }

  /** Runs a client as its user. Returns what it printed. */
  async run(program: string, args: readonly string[], env: Record<string, string>): Promise<string> {
    const inside = ["--map-root-user", "--mount", "sh", "-c", ENTER, this.folder, program, ...args];
    const { PATH = "" } = process.env;
    const child = spawn("unshare", inside, {
      env: { PATH, HOME: this.home, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
    await once(child, "close");
    return printed;
  }

  /** Where a tool leaves a mark. */
  mark(name: string): string {
    return join(this.work, name);
  }

  /** Whether a tool has left a mark, which is taken away. */
  takeMark(name: string): boolean {
    const file = this.mark(name);
    const isThere = existsSync(file);
    rmSync(file, { force: true });
    return isThere;
  }
}
