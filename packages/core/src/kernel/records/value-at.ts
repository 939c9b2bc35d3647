/** The value that own properties lead to, step by step; `undefined` where a step leads nowhere. */
export function valueAt(holder: unknown, steps: readonly string[]): unknown {
  let value = holder;
  for (const step of steps) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
