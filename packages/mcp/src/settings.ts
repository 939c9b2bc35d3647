import type { McpOAuth } from "@reeve/core";
import type { McpCommand } from "./process-transport.js";

/** The host's settings of calls to MCP servers. Requests cannot change them. */
export interface McpConnectorSettings {
  /** Commands that servers over stdio may use, by name. None when absent, so stdio is off. */
  readonly commands?: Readonly<Record<string, McpCommand>>;
  /**
   * Fetches headers for servers whose tokens an authorization server issues. Without it such servers fail with
   * `auth_required`.
   */
  readonly oauth?: (wanted: McpOAuth) => Promise<Readonly<Record<string, string>>>;
}
