type Json = Readonly<Record<string, unknown>>;

/** What a message is about, beside what its token says. */
interface About {
  readonly resource: { readonly type: string; readonly id: unknown };
  readonly context?: Json;
}

type Default = (params: Json, server: string | undefined) => About;

/** Methods that are about the whole server. `named` are members of the context, with those of `params` that they take. */
const onServer =
  (named: Readonly<Record<string, string>> = {}): Default =>
  (params, server) => ({
    resource: { type: "mcp_server", id: server },
    context: Object.fromEntries(Object.entries(named).map(([name, member]) => [name, params[member]])),
  });
const on =
  (type: string, member: string): Default =>
  (params) => ({ resource: { type, id: params[member] } });

/**
 * The default mappings of COAZ-MCP, draft 1, by method. They stand here as code, because the text of one has a `$` within
 * expressions, which is no CEL.
 */
const DEFAULTS: ReadonlyMap<string, Default> = new Map([
  ["initialize", onServer({ protocol_version: "protocolVersion" })],
  ["tools/list", onServer()],
  ["tools/call", on("tool", "name")],
  ["resources/list", onServer()],
  ["resources/read", on("resource", "uri")],
  ["resources/subscribe", on("resource", "uri")],
  ["resources/unsubscribe", on("resource", "uri")],
  ["prompts/list", onServer()],
  ["prompts/get", on("prompt", "name")],
  ["completion/complete", completed],
  ["logging/setLevel", onServer({ level: "level" })],
  ["tasks/get", on("task", "taskId")],
  ["tasks/result", on("task", "taskId")],
  ["tasks/cancel", on("task", "taskId")],
  ["tasks/list", onServer()],
]);

function completed({ ref }: Json): About {
  const { type, name, uri } = (typeof ref === "object" && ref !== null ? ref : {}) as Json;
  return { resource: type === "ref/prompt" ? { type: "prompt", id: name } : { type: "resource", id: uri } };
}

/** The question about a message by its method, or why there is none. `undefined` for a method without a default mapping. */
export function byDefault(
  method: string,
  params: Json,
  server: string | undefined,
): Json | { readonly fault: string } | undefined {
  const about = DEFAULTS.get(method)?.(params, server);
  if (!about) return undefined;
  const { resource, context = {} } = about;
  if (resource.id === undefined && resource.type === "mcp_server")
    return { fault: "It is not said which server the message is for, nor by one audience of the token." };
  if ([resource.id, ...Object.values(context)].includes(undefined))
    return { fault: `The message lacks a parameter that "${method}" has.` };
  return { action: { name: method }, resource, context };
}

/** Whether a message passes without a decision: a ping, and notifications, which have no id and no answer. */
export const passesThrough = ({ method, id }: { readonly method: string; readonly id?: unknown }): boolean =>
  method === "ping" || (method.startsWith("notifications/") && id === undefined);
