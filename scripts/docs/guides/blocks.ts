import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow, root, workspacePackages } from "../../lib/workspace.mjs";

/** A fenced code block of a page. */
export interface Block {
  /** The path of the page from the root. */
  readonly page: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly name: string;
  readonly text: string;
  /** The heading of the second level that it stands under, as links name it. */
  readonly section: string;
}

/** A heading as links name it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");

/** Every fenced code block of a Markdown text, in order. */
export function blocksOf(page: string, markdown = readFileSync(join(root, page), "utf8")): Block[] {
  const blocks: Block[] = [];
  let section = "";
  let open: { line: number; indent: string; info: string; lines: string[] } | undefined;
  for (const [at, line] of markdown.split("\n").entries()) {
    const [, indent = "", info] = /^( *)```(.*)$/.exec(line) ?? [];
    if (!open && line.startsWith("## ")) section = anchorOf(line.slice(3));
    if (info === undefined) open?.lines.push(line.slice(open.indent.length));
    else if (!open) open = { line: at + 1, indent, info, lines: [] };
    else {
      const [language = "", name = ""] = open.info.trim().split(" ");
      const text = open.lines.map((each) => `${each}\n`).join("");
      blocks.push({ page, line: open.line, language, name, text, section });
      open = undefined;
    }
  }
  if (open) throw new Error(`${page}:${open.line}: the code block has no end`);
  return blocks;
}

/** The pages that people write: the README, the docs and guides, and the READMEs of packages and examples. */
export const pages: readonly string[] = [
  join(root, "README.md"),
  ...filesBelow(join(root, "docs"), (file) => /docs\/(guides\/)?[\w-]+\.md$/.test(file)),
  ...workspacePackages().map(({ directory }) => join(directory, "README.md")),
]
  .filter((file) => existsSync(file))
  .map((file) => relative(root, file));

/** `page:line` of a block, or of a line in it counted from 1. */
export const placeOf = ({ page, line }: Block, within = 0) => `${page}:${line + within}`;
