import type { ErrorClass, ToolResult } from "@reeve/core/connectors";

export const refused = (code: string, message: string): ToolResult => ({ ok: false, code, message });
export const done = (output: unknown): ToolResult => ({ ok: true, output });

/** Failures that are about the call and not about the connection. */
export const OF_THE_CALL: ReadonlySet<ErrorClass> = new Set(["conflict", "invalid", "not_found", "permission"]);
