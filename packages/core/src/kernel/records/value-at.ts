/** The value at a path of own properties; `undefined` when a step is missing. */
export function valueAt(holder: unknown, steps: readonly string[]): unknown {
  let value = holder;
  for (const step of steps) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
