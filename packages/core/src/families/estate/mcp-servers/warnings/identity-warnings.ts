import type { McpProbe } from "#ports/mcp.js";
import type { Warning } from "./warnings.js";

/** What the last probe, or the approval, showed of a server. */
export interface KnownServer {
  readonly era: McpProbe["protocol"]["era"] | null;
  readonly name: string | null;
}

/** Warnings about the identity of a server: another name than before, or an older protocol. */
export function identityWarnings(
  known: KnownServer,
  { protocol, serverInfo }: Pick<McpProbe, "protocol" | "serverInfo">,
) {
  const found: Warning[] = [];
  const name = serverInfo?.name ?? null;
  if (known.name !== null && name !== known.name)
    found.push({ code: "server_renamed", pointer: "/serverInfo/name", detail: known.name });
  if (isDowngrade(known.era, protocol.era))
    found.push({ code: "protocol_downgraded", pointer: "/protocol/era", detail: protocol.negotiated });
  return found;
}

/** Whether a server that spoke the modern protocol now answers only the older handshake. */
export function isDowngrade(before: KnownServer["era"], now: KnownServer["era"]): boolean {
  return before === "modern" && now === "legacy";
}
