import type { McpConnector, McpFailure, McpOutcome, McpProbe, McpSnapshot, McpTarget } from "@reeve/core";

/** The default snapshot of a server. It contains the server's address, to detect leaks. */
function showing({ url, command }: McpTarget): McpSnapshot {
  const text = url ?? command ?? "nowhere";
  return {
    protocol: { negotiated: "2026-07-28", era: "modern", supportedVersions: ["2026-07-28", "2025-11-25"] },
    serverInfo: { name: `server at ${text}`.slice(0, 200), version: "1.0.0" },
    instructions: `Instructions of ${text}`,
    capabilities: { tools: {} },
    tools: [
      {
        name: "look",
        description: `Looks at ${text}`,
        inputSchema: { type: "object" },
        annotations: { readOnlyHint: true },
      },
      { name: "change", description: `Changes ${text}`, inputSchema: { type: "object" } },
    ],
    prompts: [],
    resourceTemplates: [],
    resources: [],
    resourcesTruncated: false,
  };
}

/**
 * Uses no network. Tests set what servers show, by address or command. For rules about results, not about the protocol.
 */
export class ScriptedMcp implements McpConnector {
  readonly #told = new Map<string, Partial<McpSnapshot> | McpFailure>();
  readonly #pauses = new Map<string, Promise<void>>();
  /** All calls, in order. */
  readonly calls: { readonly kind: "probe" | "observe"; readonly target: McpTarget }[] = [];

  /** Sets what a server shows, or its failure. */
  report(at: string, what: Partial<McpSnapshot> | McpFailure): void {
    this.#told.set(at, what);
  }

  /** Delays calls of a server until `until` resolves. */
  pause(at: string, until: Promise<void>): void {
    this.#pauses.set(at, until);
  }

  async probe(target: McpTarget): Promise<McpOutcome<McpProbe>> {
    return this.#answer("probe", target);
  }

  async observe(target: McpTarget): Promise<McpOutcome<McpSnapshot>> {
    return this.#answer("observe", target);
  }

  async #answer(kind: "probe" | "observe", target: McpTarget): Promise<McpOutcome<McpSnapshot>> {
    this.calls.push({ kind, target });
    const at = target.url ?? target.command ?? "";
    const reported = this.#told.get(at) ?? {};
    await this.#pauses.get(at);
    return "code" in reported
      ? { ok: false, failure: reported }
      : { ok: true, value: { ...showing(target), ...reported } };
  }
}
