import type { KernelOptions } from "#kernel/config/options.js";

type Mounts = Pick<KernelOptions, "rootRoutes" | "doors">;

/** The name of a description by the mounts on which it depends. */
export const descriptionName = ({ rootRoutes, doors }: Mounts): string => JSON.stringify({ rootRoutes, doors });

/**
 * Descriptions that the build made, by name: what is before the address and after it, each compressed by gzip, in base64. The
 * sources have none. Making one takes a second, and reading it ten milliseconds.
 */
export const MADE: Readonly<Record<string, readonly string[]>> = {};
