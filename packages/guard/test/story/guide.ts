import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { namedSnippet } from "../../../../scripts/docs/snippets.js";
import type { ScriptedCall } from "./driver.js";
import type { Known, World } from "./world.js";

/** The guide whose blocks for frameworks are run here. */
export const PAGE = "docs/guides/guards.md";
/** What the model of each block asks for. */
export const GUIDE_CALLS: readonly ScriptedCall[] = [{ tool: "refund", args: { amount: 20, to: "Ada" } }];

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const LINKED = ["@langchain", "@mastra", "@modelcontextprotocol", "@openai", "ai", "langchain", "zod"];

/** Writes a block of the guide as a module that takes from its host what it does not declare. Returns its file. */
export function guideFile(block: string, at: string, installed: string, programs: Readonly<Record<string, string>>) {
  const lines = namedSnippet(readFileSync(join(root, PAGE), "utf8"), block)
    .trimEnd()
    .split("\n");
  const [imports, body] = [true, false].map((wanted) => lines.filter((line) => line.startsWith("import ") === wanted));
  const folder = join(at, block);
  const own = join(folder, "node_modules/@reeve/guard");
  mkdirSync(own, { recursive: true });
  const entries = Object.entries(programs).flatMap(([source, file]) => {
    const [, name] = /^packages\/guard\/src\/(?:([\w-]+)\/)?index[.]ts$/.exec(source) ?? [];
    if (!source.startsWith("packages/guard/src/")) return [];
    const entry = name ? `./${name}` : ".";
    writeFileSync(join(own, `${name ?? "index"}.mjs`), `export * from ${JSON.stringify(file)};\n`);
    return [[entry, `./${name ?? "index"}.mjs`]];
  });
  writeFileSync(join(own, "package.json"), JSON.stringify({ type: "module", exports: Object.fromEntries(entries) }));
  for (const name of LINKED) {
    const target = join(installed, "node_modules", name);
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (existsSync(target) && !existsSync(link)) symlinkSync(target, link, "dir");
  }
  const file = join(folder, "guide.mjs");
  const head = "export default async function playBlock({ reeve, session, model, pay, transport, key }) {";
  writeFileSync(file, [...(imports ?? []), head, ...(body ?? []), "}", ""].join("\n"));
  return file;
}

/** Runs a block of the guide over HTTP. Returns what its tool has paid. */
export async function playGuide(world: World, known: Known, url: string, given: object): Promise<readonly number[]> {
  const paid: number[] = [];
  const { default: run } = (await import(/* @vite-ignore */ url)) as { default(host: object): Promise<void> };
  const pay = (amount: number) => {
    paid.push(amount);
    return `Paid ${amount}.`;
  };
  const session = await world.startSession("Teller");
  await run({ ...given, pay, session, reeve: world.backend("over HTTP", known) });
  return paid;
}
