let loading: Promise<typeof import("jose")> | undefined;

/**
 * The library that signs and verifies tokens. Loaded at first use, because its many files slow the start of a process.
 */
export function jose(): Promise<typeof import("jose")> {
  loading ??= import("jose");
  return loading;
}
