import type { PublishedFile } from "../fields.js";

let library: typeof import("smol-toml") | undefined;

/** Loads what writes TOML. It is called before files are written, since no transaction waits for a module. */
export async function loadToml(): Promise<void> {
  library ??= await import("smol-toml");
}

/** A TOML file. */
export function tomlFile(path: string, value: Readonly<Record<string, unknown>>): PublishedFile {
  if (!library) throw new Error("TOML is loaded before files are written");
  return { path, content: `${library.stringify(value)}\n` };
}
