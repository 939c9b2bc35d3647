import type { BuiltinFramework } from "./schema.js";

export * from "./schema.js";

/** The built-in frameworks. They are loaded at first use, because their texts slow the start of a process. */
export async function builtinFrameworks(): Promise<readonly BuiltinFramework[]> {
  const { FRAMEWORKS } = await import("./files.js");
  return FRAMEWORKS;
}

/** A built-in framework by its key. `undefined` when there is none. */
export async function builtinFramework(key: string): Promise<BuiltinFramework | undefined> {
  return (await builtinFrameworks()).find((framework) => framework.key === key);
}
