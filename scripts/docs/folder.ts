import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReferencePage } from "./markdown.js";

/** A file of the folder that is missing, different or surplus, and why. */
export interface StaleFile {
  readonly file: string;
  readonly why: "missing" | "differs" | "left over";
}

/** The differences between the folder and the pages; empty when they match. */
export function staleFiles(folder: string, pages: readonly ReferencePage[]): StaleFile[] {
  const stale = pages.flatMap(({ file, text }): StaleFile[] => {
    const path = join(folder, file);
    if (!existsSync(path)) return [{ file, why: "missing" }];
    return readFileSync(path, "utf8") === text ? [] : [{ file, why: "differs" }];
  });
  const expected = new Set(pages.map(({ file }) => file));
  const left = existsSync(folder) ? readdirSync(folder).filter((file) => !expected.has(file)) : [];
  return [...stale, ...left.map((file): StaleFile => ({ file, why: "left over" }))];
}

/** Writes the pages and deletes other files. Returns what was changed. */
export function writePages(folder: string, pages: readonly ReferencePage[]): StaleFile[] {
  const stale = staleFiles(folder, pages);
  mkdirSync(folder, { recursive: true });
  for (const { file, why } of stale) {
    const page = pages.find((each) => each.file === file);
    if (page) writeFileSync(join(folder, file), page.text);
    else if (why === "left over") rmSync(join(folder, file), { recursive: true });
  }
  return stale;
}
