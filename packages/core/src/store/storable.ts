/** The deepest nesting that is kept, as of a body over HTTP. */
const DEPTH = 32;
/** The most values that are kept together. A value that contains itself many times would otherwise be walked for ever. */
const VALUES = 100_000;

/**
 * Whether every store can keep a value: its texts have no NUL and no half of a surrogate pair, and it ends. It never
 * throws for the value.
 */
export function isStorable(value: unknown, most = VALUES, deepest = DEPTH): boolean {
  let left = most;
  const fits = (one: unknown, depth: number): boolean => {
    left -= 1;
    if (typeof one === "string") return isText(one);
    if (typeof one !== "object" || one === null || one instanceof Date) return true;
    if (depth === deepest || left < 0) return false;
    if (Array.isArray(one)) return one.every((entry) => fits(entry, depth + 1));
    return Object.entries(one).every(([name, entry]) => isText(name) && fits(entry, depth + 1));
  };
  try {
    return fits(value, 0) && left >= 0;
  } catch {
    // A property of it cannot be read.
    return false;
  }
}

const isText = (text: string) => !text.includes("\0") && text.isWellFormed();

const PLAIN: ReadonlySet<string> = new Set(["string", "boolean", "undefined"]);

/**
 * The path to the first value that JSON cannot express, such as `NaN`; `undefined` for none. For a value that is
 * storable, because others may not end.
 */
export function foreignPath(value: unknown): readonly string[] | undefined {
  if (value === null || PLAIN.has(typeof value) || Number.isFinite(value)) return undefined;
  if (typeof value !== "object") return [];
  for (const [name, entry] of Object.entries(value)) {
    const path = foreignPath(entry);
    if (path) return [name, ...path];
  }
  return undefined;
}
