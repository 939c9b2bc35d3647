/** Stands for every name, each of which is a project with servers of its own. */
export const EACH = Symbol("each");
export type Place = readonly (string | typeof EACH)[];

/** How a client writes down its MCP servers. */
export interface McpFormat {
  readonly syntax: "json" | "toml";
  /** Where in the document the servers are, by name. Each place is read. */
  readonly places: readonly Place[];
  /** What `url` means where `type` is not given. */
  readonly url?: "sse";
}

const json = (...at: Place): McpFormat => ({ syntax: "json", places: [at] });

/** Files in which clients keep their MCP servers. */
export const mcpConfigs: readonly { readonly path: RegExp; readonly client: string; readonly format: McpFormat }[] = [
  { path: /(^|\/)\.vscode\/mcp\.json$/, client: "Visual Studio Code", format: json("servers") },
  { path: /(^|\/)\.vscode\/settings\.json$/, client: "Visual Studio Code", format: json("mcp", "servers") },
  { path: /(^|\/)\.cursor\/mcp\.json$/, client: "Cursor", format: json("mcpServers") },
  { path: /(^|\/)\.claude\/settings(\.local)?\.json$/, client: "Claude Code", format: json("mcpServers") },
  { path: /(^|\/)claude_desktop_config\.json$/, client: "Claude Desktop", format: json("mcpServers") },
  {
    path: /(^|\/)\.gemini\/settings\.json$/,
    client: "Gemini CLI",
    format: { ...json("mcpServers"), url: "sse" },
  },
  { path: /(^|\/)\.codex\/config\.toml$/, client: "Codex", format: { syntax: "toml", places: [["mcp_servers"]] } },
  { path: /(^|\/)\.roo\/mcp\.json$/, client: "Roo Code", format: json("mcpServers") },
  { path: /(^|\/)cline_mcp_settings\.json$/, client: "Cline", format: json("mcpServers") },
  { path: /(^|\/)\.windsurf\/mcp_config\.json$/, client: "Windsurf", format: json("mcpServers") },
  { path: /(^|\/)mcp_config\.json$/, client: "Windsurf", format: json("mcpServers") },
  { path: /(^|\/)\.amazonq\/mcp\.json$/, client: "Amazon Q Developer", format: json("mcpServers") },
  { path: /(^|\/)\.kiro\/settings\/mcp\.json$/, client: "Kiro", format: json("mcpServers") },
  { path: /(^|\/)\.junie\/mcp\/mcp\.json$/, client: "Junie", format: json("mcpServers") },
  { path: /(^|\/)\.zed\/settings\.json$/, client: "Zed", format: json("context_servers") },
  { path: /(^|\/)opencode\.jsonc?$/, client: "OpenCode", format: json("mcp") },
  {
    path: /(^|\/)\.github\/mcp\.json$/,
    client: "GitHub Copilot",
    format: { syntax: "json", places: [["servers"], ["mcpServers"]] },
  },
  { path: /(^|\/)\.copilot\/mcp-config\.json$/, client: "GitHub Copilot", format: json("mcpServers") },
  { path: /(^|\/)managed-mcp\.json$/, client: "Claude Code", format: json("mcpServers") },
  {
    path: /(^|\/)\.claude\.json$/,
    client: "Claude Code",
    format: { syntax: "json", places: [["mcpServers"], ["projects", EACH, "mcpServers"]] },
  },
  { path: /(^|\/)\.claude-plugin\/plugin\.json$/, client: "Claude Code", format: json("mcpServers") },
  {
    path: /(^|\/)gemini-extension\.json$/,
    client: "Gemini CLI",
    format: { ...json("mcpServers"), url: "sse" },
  },
  { path: /(^|\/)\.?mcp\.json$/, client: "Claude Code", format: json("mcpServers") },
];
