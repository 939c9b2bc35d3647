import type { Ask } from "#families/governance/index.js";
import type { Principal } from "#kernel/config/principal.js";

/** What proxies tell of the request that waits. All but those of MCP must be set by the proxy, or any sender could choose them. */
export const HEADERS = [
  "mcp-method",
  "mcp-name",
  "x-reeve-server",
  "x-reeve-session",
  "x-forwarded-method",
  "x-forwarded-uri",
  "x-forwarded-host",
  "x-original-method",
  "x-original-uri",
] as const;

type Headers = Readonly<Partial<Record<(typeof HEADERS)[number], string>>>;

/** The question of a request behind a proxy: a call by MCP, or a route. `undefined` where the proxy tells neither. */
export function questionOf(principal: Principal, headers: Headers): Ask | undefined {
  const subject =
    principal.kind === "client" ? { type: "agent", id: principal.userId } : { type: "user", id: principal.username };
  const session = headers["x-reeve-session"];
  const context = session === undefined ? {} : { sessionId: session };
  const asked = headers["mcp-method"] === undefined ? routeOf(headers) : calledBy(headers);
  return asked && { subject, ...asked, context };
}

type Asked = Pick<Ask, "action" | "resource"> | undefined;

/** A request by MCP of 2026-07-28, whose server refuses headers that differ from the body. */
function calledBy(headers: Headers): Asked {
  const { "mcp-method": method, "mcp-name": name, "x-reeve-server": server } = headers;
  if (!method) return undefined;
  if (method !== "tools/call")
    return server ? { action: { name: method }, resource: { type: "mcp_server", id: server } } : undefined;
  if (!name) return undefined;
  return {
    action: { name: method },
    resource: { type: "tool", id: name, ...(server ? { properties: { server } } : {}) },
  };
}

function routeOf(headers: Headers): Asked {
  const method = headers["x-forwarded-method"] ?? headers["x-original-method"];
  const target = headers["x-forwarded-uri"] ?? headers["x-original-uri"];
  if (!method || !target) return undefined;
  const host = headers["x-forwarded-host"];
  const [path = ""] = target.split("?", 1);
  return {
    action: { name: method },
    resource: { type: "route", id: path, properties: host === undefined ? {} : { host } },
  };
}
