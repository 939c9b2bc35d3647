import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the commands of a block printed, and what curl was refused. */
export interface Printed {
  readonly output: string;
  readonly refusals: readonly Refusal[];
  /** How many requests and commands of Reeve it took. */
  readonly calls: number;
}

export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** `curl` prints the answer as ever, and notes the status. `npx` and `reeve` start the programs of this repository, and note 0. */
const HEAD = `set -euo pipefail
noted() {
  printf '0 \\n' >>"$STATUSES"
  # A command in the background is to be ended as itself.
  if ((BASH_SUBSHELL)); then exec node "$@"; else node "$@"; fi
}
npx() {
  local program=$1
  shift
  case $program in
    @reeve/server) noted "$REEVE_SERVER" "$@" ;;
    @reeve/verify-chain) noted "$REEVE_VERIFY_CHAIN" "$@" ;;
    *) echo "npx $program is not run here" >&2; return 1 ;;
  esac
}
reeve() { noted "$REEVE_SERVER" "$@"; }
curl() {
  local all
  all=$(command curl --silent --show-error --write-out '\\n%{http_code}' "$@")
  local status=\${all##*$'\\n'}
  all=\${all%$'\\n'*}
  printf '%s %s\\n' "$status" "$([ "$status" -lt 400 ] || printf '%s' "$all" | tr '\\n' ' ')" >>"$STATUSES"
  printf '%s\\n' "\${all%$'\\n'}"
}
`;

/** One bash for the blocks of a page, so that variables stay. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #statuses: string;
  #output = "";
  #heard = () => {};
  #ended = false;

  constructor(
    readonly folder: string,
    env: Readonly<Record<string, string>>,
  ) {
    this.#statuses = join(folder, `${randomUUID()}.statuses`);
    const child = spawn("bash", [], {
      detached: true,
      cwd: folder,
      env: { ...process.env, ...env, STATUSES: this.#statuses },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
        this.#heard();
      });
    }
    child.once("close", () => {
      this.#ended = true;
      this.#heard();
    });
    child.stdin.on("error", () => {});
    child.stdin.write(HEAD);
  }

  /** Runs commands to their end. Rejects with what they printed when one fails. */
  async run(text: string): Promise<Printed> {
    const mark = randomUUID();
    const file = join(this.folder, mark);
    writeFileSync(file, text);
    writeFileSync(this.#statuses, "");
    this.#output = "";
    this.#child.stdin?.write(`source ./${mark} </dev/null; printf '%s' ${mark}\n`);
    await new Promise<void>((resolve) => {
      this.#heard = () => (this.#ended || this.#output.includes(mark)) && resolve();
      this.#heard();
    });
    if (!this.#output.includes(mark)) throw new Error(`a command failed:\n${this.#output}`);
    const noted = readFileSync(this.#statuses, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => ({ status: Number.parseInt(line, 10), text: line.slice(4) }));
    const refusals = noted.filter(({ status }) => status >= 400);
    return { output: this.#output.slice(0, this.#output.indexOf(mark)), refusals, calls: noted.length };
  }

  close(): void {
    this.#child.stdin?.end();
    // With what the page has left in the background.
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid);
  }
}
