import type { KernelOptions } from "#kernel/config/options.js";

type Mounts = Pick<KernelOptions, "rootRoutes" | "doors">;

/** The name of a description by the mounts on which it depends. */
export const descriptionName = ({ rootRoutes, doors }: Mounts): string => JSON.stringify({ rootRoutes, doors });

/** The address in descriptions that are made before the address is known. */
export const ANY_ADDRESS = "https://reeve.invalid";

/**
 * Descriptions that the build made, by name: the text compressed by gzip, in base64. The sources have none. Making one takes a
 * second, and reading it ten milliseconds.
 */
export const MADE: Readonly<Record<string, string>> = {};
