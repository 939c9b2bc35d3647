import type { OwnEvents } from "../events.js";

export const estateEvents: OwnEvents = {
  "asset.condition.met":
    "Somebody met a condition of an approval. `data.condition` holds when, who and the `evidence`.",
  "asset.condition.reopened": "Somebody who approves has opened a condition again; `data.reason` says why.",
  "identity.credential_issued":
    "An AI identity got a credential. `data` names it and says when it ends; its secret is nowhere.",
  "identity.credential_rotated": "A credential was replaced; `data.replaces` says until when the old one works.",
  "identity.credential_revoked": "A credential was revoked, and every token of the identity died.",
  "mcp.probed":
    "Somebody had an MCP server probed. `data` holds its `connection`, or the `error` with `code` and `reason`; `outcome` says which.",
  "mcp.scanned":
    "An MCP server was scanned: by somebody, or by the clock where that was news. `data` holds `manifestDigest`, `state`, counts of tools and of texts that speak to a model (`instructionPatterns`, then of severity WARN), or the `error`.",
  "mcp.manifest.drifted":
    "An MCP server offers something else than what was approved. `data` holds both digests, the gravest `severity` and all `items` without their fields.",
  "mcp.tool.changed":
    "A tool of that server, the first 64 of them: `data` holds its first five `changes`, each with what it was, what it is and how grave that is, and `changesInAll`.",
  "mcp.tool.approved":
    "Somebody approved what an MCP server was seen to offer. `data` holds `manifestDigest`, `state`, `tools` and `reason`.",
  "mcp.protocol.downgraded":
    "An MCP server that spoke the modern protocol answers only the older handshake. `data` holds both versions.",
};
