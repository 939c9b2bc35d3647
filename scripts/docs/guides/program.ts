import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/workspace.mjs";
import { type Block, placeOf } from "./blocks.js";

/** A page as one module: its host's names, then its blocks in order, each in a scope within that of the one before. */
export interface Program {
  readonly text: string;
  /** Where a line of the module stands in the page, as `page:line`. */
  placeOf(line: number): string;
}

const HOSTS = join(root, "scripts/docs/guides/hosts");

/** The module with what a page leaves to its host. */
export function hostOf(page: string): string {
  const name = page.replace(/^(docs\/guides|docs|packages|examples)\//, "").replace(/(\/README)?\.md$/, "");
  const file = join(HOSTS, `${name}.ts`);
  return existsSync(file) ? file : join(HOSTS, "service.ts");
}

export const isCode = ({ language }: Block) => language === "js" || language === "ts";

/** The module's default export runs the page. It awaits `step` before each block of code, and for any other. */
export function programOf(page: string, blocks: readonly Block[], host = hostOf(page)): Program {
  const imports = new Imports();
  const body: [text: string, place: string][] = [];
  let scopes = 0;
  for (const block of blocks) {
    body.push([`await step(${block.line});`, placeOf(block)]);
    if (isCode(block)) {
      const scope: [string, string][] = [["{", placeOf(block)]];
      for (const [at, line] of block.text.trimEnd().split("\n").entries()) {
        const place = placeOf(block, at + 1);
        if (line.startsWith("import ")) scope.push([imports.add(line, place), place]);
        else scope.push([line.replace(/^export (?=function|const|async)/, ""), place]);
      }
      body.push(...scope);
      scopes += 1;
    }
  }
  const lines: [string, string][] = [
    [imports.ofHost(host), page],
    ...imports.lines,
    ["export default async function run(step: (line: number) => Promise<void>): Promise<void> {", page],
    ...body,
    ["}".repeat(scopes + 1), page],
  ];
  return {
    text: lines.map(([text]) => `${text}\n`).join(""),
    placeOf: (line) => lines[line - 1]?.[1] ?? page,
  };
}

/** The imports of a page, which stand before all its blocks. */
class Imports {
  readonly lines: [text: string, place: string][] = [];
  /** Which line imported a name. */
  readonly #from = new Map<string, string>();

  /** Adds a line of imports. Returns what its block declares instead, where another module gave the page such a name. */
  add(line: string, place: string): string {
    const [, names = "", from = ""] = /^import (?:type )?[{]?(.*?)[}]? from (.*?;)/.exec(line) ?? [];
    const declared: string[] = [];
    const imported = names.split(",").flatMap((each) => {
      const name = each.trim();
      const bare = name.replace(/^type /, "");
      const before = this.#from.get(bare);
      this.#from.set(bare, before ?? from);
      if (before === undefined) return [name];
      if (before === from) return [];
      const other = `${bare}_${this.lines.length}`;
      declared.push(`const ${bare} = ${other};`);
      return [`${name} as ${other}`];
    });
    if (imported.length > 0) {
      const list = line.includes("{") ? `{ ${imported.join(", ")} }` : imported.join(", ");
      this.lines.push([`import ${line.startsWith("import type") ? "type " : ""}${list} from ${from}`, place]);
    }
    return declared.join(" ");
  }

  /** The import of the host's names that the page does not import itself. */
  ofHost(host: string): string {
    const text = readFileSync(host.replace(/[?].*$/, ""), "utf8");
    const exported = [...text.matchAll(/^export (const|interface) (\w+)/gm)];
    const names = exported
      .filter(([, , name = ""]) => !this.#from.has(name))
      .map(([, kind, name]) => (kind === "const" ? name : `type ${name}`));
    return `import { ${names.join(", ")} } from ${JSON.stringify(host)};`;
  }
}
