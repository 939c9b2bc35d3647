type Json = Readonly<Record<string, unknown>>;

interface Porc {
  readonly principal: Json;
  readonly operation: string;
  readonly resource: string;
  readonly context?: Json | undefined;
}

/** The methods of MCP by what ToolHive calls them. */
const METHODS: Readonly<Record<string, string>> = {
  "mcp:tool:call": "tools/call",
  "mcp:tool:list": "tools/list",
  "mcp:prompt:get": "prompts/get",
  "mcp:prompt:list": "prompts/list",
  "mcp:resource:read": "resources/read",
  "mcp:resource:list": "resources/list",
};

/** A question from principal, operation, resource and context. What cannot be read is left out, so that it is denied. */
export function questionOfPorc({ principal, operation, resource, context = {} }: Porc): Json {
  // The rest of a name may hold colons, as addresses do.
  const [, server, feature, id] = /^mrn:mcp:([^:]+):([a-z]+):(.*)$/s.exec(resource) ?? [];
  const name = Object.hasOwn(METHODS, operation) ? METHODS[operation] : undefined;
  const { mcp } = context as { readonly mcp?: { readonly args?: unknown } };
  return {
    ...(typeof principal.sub === "string"
      ? { subject: { type: "user", id: principal.sub, properties: principal } }
      : {}),
    ...(name === undefined ? {} : { action: { name, properties: isObject(mcp?.args) ? mcp.args : {} } }),
    ...(server === undefined || feature === undefined ? {} : { resource: resourceOf(server, feature, id ?? "") }),
    context: {},
  };
}

function resourceOf(server: string, feature: string, id: string): Json {
  if (id === "") return { type: "mcp_server", id: server };
  return feature === "tool"
    ? { type: "tool", id, properties: { server } }
    : { type: feature, id, properties: { server } };
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
