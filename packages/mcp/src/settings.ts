import type { McpOAuth } from "@reeve/core";
import type { McpCommand } from "./process-transport.js";

/** What the host decides about looks at MCP servers. Requests decide nothing of it. */
export interface McpConnectorSettings {
  /** Commands that servers over stdio may name. None when absent: stdio is off. */
  readonly commands?: Readonly<Record<string, McpCommand>>;
  /** Fetches the headers for servers whose tokens an authorization server issues. Without it they answer `auth_required`. */
  readonly oauth?: (wanted: McpOAuth) => Promise<Readonly<Record<string, string>>>;
}
