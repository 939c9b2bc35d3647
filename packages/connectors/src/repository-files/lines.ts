/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** The first line that names a key, comments left aside; the first line of all where none does. */
export function lineOfKey(text: string, key: string): number {
  const named = new RegExp(`(^|[^\\w-])${escaped(key)}($|[^\\w-])`);
  const lines = text.split("\n");
  const at = lines.findIndex((line) => !/^\s*#/.test(line) && named.test(line));
  return at === -1 ? 1 : at + 1;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
