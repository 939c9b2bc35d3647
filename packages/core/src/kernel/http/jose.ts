let loading: Promise<typeof import("jose")> | undefined;

/** The library that signs and verifies tokens, loaded at its first use: a process starts faster without its many files. */
export function jose(): Promise<typeof import("jose")> {
  loading ??= import("jose");
  return loading;
}
