import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

/** Folders that import each other, directly or through others of them. */
export interface Knot {
  readonly folders: readonly string[];
  readonly lines: number;
}

const SOURCES = "packages/core/src/";

/** Folders that are read one by one, by the number of parts of their path. */
const PARTS: Readonly<Record<string, number>> = { families: 3, kernel: 2 };

/**
 * Folder of a source of core that is read as one: a resource of an area, a folder of the kernel, or a top folder. A file
 * that stands above these folders is its own. `undefined` for tests and for files outside.
 */
export function folderOf(file: string): string | undefined {
  if (!file.startsWith(SOURCES) || file.endsWith(".test.ts")) return undefined;
  const parts = file.slice(SOURCES.length).split("/");
  return parts.slice(0, PARTS[parts[0] as string] ?? 1).join("/");
}

/** Which folders import which others. */
export function folderImports(imports: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const from = folderOf(file);
    if (from === undefined) continue;
    const reached = folders.get(from) ?? new Set();
    folders.set(from, reached);
    for (const to of targets.map(folderOf)) if (to !== undefined && to !== from) reached.add(to);
  }
  return folders;
}

/** Groups of nodes that reach each other, of more than one node. */
export function groupsOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]));
  const grouped = new Set<string>();
  const groups: string[][] = [];
  for (const [node, others] of reached) {
    if (grouped.has(node) || !others.has(node)) continue;
    const group = [...others].filter((other) => reached.get(other)?.has(node));
    for (const each of group) grouped.add(each);
    groups.push(group.sort());
  }
  return groups;
}

function reachedFrom(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of graph.get(node) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        open.push(next);
      }
  return reached;
}

/** Knots of the folders of core, the largest first. */
export function folderKnots(imports: ReadonlyMap<string, readonly string[]>): Knot[] {
  const lines = new Map<string, number>();
  for (const file of imports.keys()) {
    const folder = folderOf(file);
    if (folder !== undefined) lines.set(folder, (lines.get(folder) ?? 0) + linesOf(file));
  }
  return groupsOf(folderImports(imports))
    .map((folders) => ({ folders, lines: folders.reduce((sum, folder) => sum + (lines.get(folder) ?? 0), 0) }))
    .sort((left, right) => right.folders.length - left.folders.length || right.lines - left.lines);
}

function linesOf(file: string): number {
  return readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
}
