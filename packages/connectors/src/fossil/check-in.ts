import type { RepositoryFile } from "../repository-files/file.js";

/** Reads an artifact by its hash. */
type Read = (hash: string) => Promise<string>;

const HASH = /^[0-9a-f]{40,64}$/;

/** The files of a check-in, by its own description. One that only says what changed names another one to begin with. */
export async function filesOf(hash: string, read: Read): Promise<readonly RepositoryFile[]> {
  const cards = (await read(hash)).split("\n").map((line) => line.split(" "));
  const [, baseline] = cards.find(([letter]) => letter === "B") ?? [];
  const files = new Map<string, RepositoryFile>();
  const begin =
    baseline && HASH.test(baseline) ? (await read(baseline)).split("\n").map((line) => line.split(" ")) : [];
  for (const [letter, name = "", key, permission] of [...begin, ...cards]) {
    if (letter !== "F") continue;
    const path = unescaped(name);
    if (key === undefined || !HASH.test(key)) files.delete(path);
    else files.set(path, { path, key, ...(permission === "l" ? { symbolicLink: true } : {}) });
  }
  return [...files.values()];
}

const ESCAPES: Readonly<Record<string, string>> = { s: " ", n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", 0: "\0" };

/** Fossil writes blanks of names as letters behind a backslash. */
const unescaped = (name: string) => name.replace(/\\(.)/g, (_all, letter: string) => ESCAPES[letter] ?? letter);
