import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ReeveError } from "@reeve/core";
import { freePort } from "@reeve/testkit/postgres";
import { inject, vi } from "vitest";
import { root } from "../../lib/workspace.mjs";
import { closeHosts } from "./acme.js";
import { type Block, blocksOf, placeOf } from "./blocks.js";
import { type Calls, newCalls } from "./calls.js";
import { BORROWED } from "./compile.js";
import { hostOf, isCode, programOf } from "./program.js";
import { asideOf } from "./set-aside.js";
import { type Printed, Shell } from "./shell.js";
import { differences } from "./shown.js";

/** What the module of a page's host may tell besides names: see `hosts`. */
interface Host {
  /** Variables of the page's shell commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** Texts that stand for what only a running host knows. */
  readonly placeholders?: readonly (readonly [text: string, value: string])[];
  /** Files that the page takes to be there. */
  readonly files?: Readonly<Record<string, string>>;
  /** Runs a block of SQL. */
  readonly sql?: (text: string) => Promise<void>;
}

/** What came of a page. */
interface Played {
  /** What is wrong, each with its page and line. */
  readonly faults: readonly string[];
  readonly calls: Calls;
}

/** Runs the blocks of a page in order. */
export async function playPage(page: string, folder: string): Promise<Played> {
  vi.stubEnv("REEVE_MASTER_KEY", randomBytes(32).toString("base64"));
  const printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const faults: string[] = [];
  const calls = newCalls();
  try {
    const blocks = blocksOf(page).filter((block) => block.language !== "mermaid" && !asideOf(block));
    const name = page.replaceAll(/\W/g, "-");
    // Pages without a host of their own share a file of it, and each has its own instance.
    const hostFile = `${hostOf(page)}?${name}`;
    const host = (await import(/* @vite-ignore */ hostFile)) as Host;
    const replaced = replacements(host, await freePort(), folder);
    const program = programOf(page, blocks, hostFile);
    mkdirSync(join(folder, name));
    const file = join(folder, name, "program.ts");
    for (const [path, text] of Object.entries(host.files ?? {})) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), text);
    }
    writeFileSync(file, imported(replaced(program.text)));
    const shell = new Shell(join(folder, name), { ...programs(), ...host.env });
    const steps = new Steps(blocks, {
      shell,
      host,
      replaced,
      faults,
      calls,
      logged: () => printed.mock.calls.splice(0).at(-1)?.[0],
    });
    try {
      const { default: run } = (await import(/* @vite-ignore */ file)) as {
        default(step: (line: number) => Promise<void>): Promise<void>;
      };
      await run((line) => steps.take(line));
    } catch (error) {
      const at = /program\.ts:(\d+)/.exec((error as Error).stack ?? "")?.[1];
      faults.push(`${at ? program.placeOf(Number(at)) : page}: ${told(error)}`);
    } finally {
      shell.close();
    }
  } finally {
    printed.mockRestore();
    vi.unstubAllEnvs();
    await closeHosts();
  }
  return { faults, calls };
}

/** An error, with what a refusal names. */
const told = (error: unknown) => (ReeveError.is(error) ? `${error} ${JSON.stringify(error.errors)}` : String(error));

const COUNTED = join(root, "scripts/docs/guides/counted-core.ts");

/** A program that imports core with its calls counted, and what the root has not installed from where it is. */
const imported = (text: string) =>
  Object.entries(BORROWED).reduce(
    (all, [name, [folder = ""]]) => all.replaceAll(`from "${name}";`, `from ${JSON.stringify(entryOf(folder))};`),
    text.replaceAll('from "@reeve/core";', `from ${JSON.stringify(COUNTED)};`),
  );
const entryOf = (folder: string) => createRequire(import.meta.url).resolve(join(root, folder));

/** Where the programs of the repository are that a page starts by npx. */
const programs = () => ({
  REEVE_SERVER: inject("programs")["packages/server/src/reeve.ts"],
  REEVE_VERIFY_CHAIN: join(root, "packages/verify-chain/src/command.mjs"),
});

/** Addresses and files that a page shows, and those of the test. */
function replacements(host: Host, port: number, folder: string) {
  const base = host.env?.BASE ?? `http://127.0.0.1:${port}`;
  const pairs: (readonly [string, string])[] = [
    ...(host.placeholders ?? []),
    ["http://127.0.0.1:4000", base],
    ["https://reeve.example", base],
    ["https://reeve.acme.example", base],
    ["localhost:3000", `127.0.0.1:${port}`],
    ["listen(3000", `listen(${port}`],
    ["port: 3000", `port: ${port}`],
    ["./data/reeve.sqlite", join(folder, "data", `${port}.sqlite`)],
    ["events-in-process.jsonl", join(folder, `events-${port}.jsonl`)],
  ];
  return (text: string) => pairs.reduce((all, [shown, real]) => all.replaceAll(shown, real), text);
}

/** Takes the blocks of a page that are no code, and notes where code begins. */
class Steps {
  #last: Printed | undefined;

  constructor(
    readonly blocks: readonly Block[],
    readonly play: {
      readonly shell: Shell;
      readonly host: Host;
      readonly replaced: (text: string) => string;
      readonly faults: string[];
      readonly calls: Calls;
      /** What the code since the last time has logged last. */
      readonly logged: () => unknown;
    },
  ) {}

  async take(line: number): Promise<void> {
    const at = this.blocks.findIndex((block) => block.line === line);
    const block = this.blocks[at] as Block;
    this.play.calls.enter(block.section);
    if (isCode(block)) return this.#begin();
    const mistakes = await this.#mistakes(block, this.blocks[at + 1]).catch((error: Error) => [error.message]);
    this.play.faults.push(...mistakes.map((mistake) => `${placeOf(block)}: ${mistake}`));
  }

  #begin(): void {
    this.play.logged();
    this.#last = undefined;
  }

  async #mistakes(block: Block, next: Block | undefined): Promise<string[]> {
    const { shell, host, replaced } = this.play;
    const text = replaced(block.text);
    if (block.language === "json") return this.#shown(block.text);
    if (block.language === "sh") this.#last = await shell.run(text);
    else if (block.language === "http") this.#last = await send(text, host.env ?? {});
    else if (block.language === "sql" && host.sql) return host.sql(text).then(() => []);
    else return [`nothing runs a block of "${block.language}"; name its reason in set-aside.ts`];
    const wanted = next?.language === "json" ? (JSON.parse(next.text).status as unknown) : undefined;
    this.play.calls.add(this.#last.calls);
    return this.#last.refusals.filter(({ status }) => status !== wanted).map(({ text: why }) => `is refused: ${why}`);
  }

  /** An answer after a request or code is part of what was answered or logged; any other block of JSON only has to be JSON. */
  #shown(text: string): string[] {
    const shown: unknown = JSON.parse(text);
    const answer = this.#last?.output.trim().split("\n").at(-1);
    const actual = answer === undefined ? asJson(this.play.logged()) : JSON.parse(answer);
    this.#last = undefined;
    return actual === undefined ? [] : differences(shown, actual);
  }
}

const asJson = (value: unknown): unknown =>
  value && JSON.parse(typeof value === "string" ? value : JSON.stringify(value));

/** Sends a request as it is shown: its line, and its body. */
async function send(text: string, { BASE = "", TOKEN = "" }: Readonly<Record<string, string>>): Promise<Printed> {
  const [, method = "", target = "", body = ""] = /^(\w+) (\S+)\n([\s\S]*)$/.exec(text) ?? [];
  const response = await fetch(BASE + target, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    ...(body.trim() === "" ? {} : { body }),
  });
  const output = await response.text();
  return { output, refusals: response.ok ? [] : [{ status: response.status, text: output }], calls: 1 };
}
