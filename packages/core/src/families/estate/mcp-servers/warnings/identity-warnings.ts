import type { McpProbe } from "../../../../ports/mcp.js";
import type { Warning } from "./warnings.js";

/** What was known of a server when it was last seen or approved. */
export interface KnownServer {
  readonly era: McpProbe["protocol"]["era"] | null;
  readonly name: string | null;
}

/** What is suspicious about who answers: another name than before, or an older protocol. */
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

/** Whether a server that spoke the modern protocol answers only the older handshake now. */
export function isDowngrade(before: KnownServer["era"], now: KnownServer["era"]): boolean {
  return before === "modern" && now === "legacy";
}
