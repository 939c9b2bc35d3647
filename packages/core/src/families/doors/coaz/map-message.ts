import {
  assets,
  deniedBecause,
  MAPPING_MEMBER,
  mappingLanguage,
  mcpServers,
  readMapping,
  resolveMapping,
  surveyOf,
  type Tool,
  tools,
} from "#families/estate/index.js";
import {
  assetsNamed,
  assetTypeOf,
  type DecisionRequest,
  readRequest,
  resemblesAsset,
} from "#families/governance/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { findRecords, type Name } from "../authzen/find-records.js";
import { byDefault, passesThrough } from "./default-mappings.js";

type Json = Readonly<Record<string, unknown>>;

/** A message of MCP that waits for a decision, as an enforcement point tells of it. */
export interface Message {
  readonly server?: string | undefined;
  readonly message: { readonly method: string; readonly id?: unknown; readonly params?: Json | undefined };
  readonly token: Json;
  readonly context?: Json | undefined;
}

/** The questions about a message, or why there are none. */
export interface Mapped {
  readonly mapping: "default" | "declared" | "pass_through" | "none";
  readonly request?: DecisionRequest;
  /** The message or its mapping cannot be read. */
  readonly fault?: string;
  /** It is denied without a question. */
  readonly denied?: string;
}

/** Members of the context that a mapping does not set, because the server that is asked about writes it. */
const NOT_OF_MAPPINGS: readonly string[] = [
  "agent",
  "approval",
  "approvalId",
  "approvalScope",
  "sessionId",
  "sessionEpoch",
  "supported_obligations",
];

/** Maps a message by the mapping that its tool declares, or else by the default one of its method. */
export async function mapMessage(ctx: ReadContext, sent: Message): Promise<Mapped> {
  const { method, params = {} } = sent.message;
  if (passesThrough(sent.message)) return { mapping: "pass_through" };
  const server = await serverOf(ctx, sent);
  const standard = byDefault(method, params, server);
  if (!standard) return { mapping: "none", denied: `The method "${method}" has no mapping.` };
  const { sub } = sent.token;
  if (typeof sub !== "string") return { mapping: "default", fault: "The token names no subject." };
  if (typeof standard.fault === "string") return { mapping: "default", fault: standard.fault };
  const stopped = await agentDenial(ctx, sent.token);
  if (stopped !== undefined) return { mapping: "default", denied: stopped };
  const anchor: Anchor = { sent, subject: { type: await subjectType(ctx, sub), id: sub } };
  const first = anchored(anchor, standard) as Json;
  if (method !== "tools/call") return asked("default", [first]);
  // Names come from servers. One that looks like the id of another tool would be decided as that.
  if (typeof params.name === "string" && resemblesAsset(params.name))
    return { mapping: "default", denied: "A tool is called by its name, and not by an id." };
  const call = callOf(first, params, server);
  const tool = await toolOf(ctx, params.name, server);
  if (!tool) return asked("default", [call]);
  const declared = tool.inputSchema?.[MAPPING_MEMBER];
  const mapping = declared === undefined ? "default" : "declared";
  if (await hasDrifted(ctx, tool))
    return { mapping, denied: "The tool or its server is not what was approved, and neither may the mapping be." };
  if (declared === undefined) return asked(mapping, [call]);
  const own = questionsBy(ctx, declared, anchor);
  if ("fault" in own) return { mapping, fault: own.fault };
  // A mapping says what else is asked. The tool itself must be allowed too, or its server could lead around a halt.
  return asked(mapping, [call, ...own.questions]);
}

/** The call of a tool with its arguments, to which an approval is bound. */
function callOf(question: Json, { arguments: args }: Json, server: string | undefined): Json {
  const { action, resource } = question as { readonly action: Json; readonly resource: Json };
  return {
    ...question,
    action: isObject(args) ? { ...action, properties: args } : action,
    resource: server === undefined ? resource : { ...resource, properties: { server } },
  };
}

/** What a mapping cannot choose: the message, and who sends it by the token. */
interface Anchor {
  readonly sent: Message;
  readonly subject: { readonly type: "identity" | "user"; readonly id: string };
}

function questionsBy(
  ctx: ReadContext,
  raw: unknown,
  anchor: Anchor,
): { readonly questions: readonly Json[] } | { readonly fault: string } {
  const language = ctx.env.use(mappingLanguage);
  const read = readMapping(language, raw);
  if ("faults" in read) {
    const [{ pointer, message } = { pointer: "", message: "" }] = read.faults;
    return { fault: `The mapping is malformed at "${pointer}": ${message}` };
  }
  const { message, token } = anchor.sent;
  const resolved = resolveMapping(read.mapping, language.values({ params: message.params ?? {}, token }));
  if ("fault" in resolved) return resolved;
  const questions: Json[] = [];
  for (const question of resolved.questions) {
    const made = anchored(anchor, question);
    if (typeof made === "string") return { fault: made };
    questions.push(made);
  }
  return { questions };
}

/** The question with the subject and the agent of the token, and with what the enforcement point says. Else what is wrong. */
function anchored({ sent, subject: sender }: Anchor, question: Json): Json | string {
  const { subject = {}, context = {} } = question;
  if (!isObject(subject) || !isObject(context)) return "`subject` and `context` are objects.";
  const { id = sender.id, type = "identity" } = subject;
  if (id !== sender.id) return "The mapping names another subject than the token.";
  const isIdentity = typeof type === "string" && assetTypeOf(type) === "identity";
  const own = Object.entries(context).filter(([name]) => !NOT_OF_MAPPINGS.includes(name));
  const agent = sent.token.client_id === undefined ? {} : { agent: sent.token.client_id };
  return {
    ...question,
    subject: { ...subject, type: isIdentity ? sender.type : type, id },
    context: { ...Object.fromEntries(own), ...agent, ...sent.context },
  };
}

function asked(mapping: "default" | "declared", questions: readonly Json[]): Mapped {
  try {
    const { asks } = readRequest({ evaluations: questions });
    return { mapping, request: { asks, batch: true, semantic: "deny_on_first_deny" } };
  } catch (error) {
    if (!ReeveError.is(error)) throw error;
    return { mapping, fault: error.errors.map(({ pointer, message }) => `${pointer}: ${message}`).join(" ") };
  }
}

/** The server as the enforcement point knows it, or else as the token does, by the id of its asset where that is known. */
async function serverOf(ctx: ReadContext, { server, token: { aud } }: Message): Promise<string | undefined> {
  const [only, ...others] = Array.isArray(aud) ? aud : [aud];
  const named = server ?? (others.length === 0 && typeof only === "string" ? only : undefined);
  if (named === undefined || resemblesAsset(named)) return named;
  const ids = await recordsOf(ctx, { assetType: "mcp_server", id: named, server: undefined });
  return ids.length === 1 ? ids[0] : named;
}

/** COAZ calls every subject an identity. One of the register is meant as that, and any other is a person. */
async function subjectType(ctx: ReadContext, sub: string): Promise<"identity" | "user"> {
  if (resemblesAsset(sub)) return "identity";
  const known = await recordsOf(ctx, { assetType: "identity", id: sub, server: undefined });
  return known.length > 0 ? "identity" : "user";
}

/** Why the agent of a token may not act at all. The questions are about its person, and would not tell. */
async function agentDenial(ctx: ReadContext, { client_id: id }: Json): Promise<string | undefined> {
  if (typeof id !== "string") return undefined;
  const named = await recordsOf(ctx, { assetType: "agent", id, server: undefined });
  const meant = [...(await assetsNamed(ctx, [id])).values()].map((asset) => asset.id);
  const rows = await ctx.db.getMany(assets, [...new Set([...named, ...meant])]);
  const { effective } = await surveyOf(
    ctx,
    rows.map((row) => ctx.derived(assets, row)),
  );
  const against = [...effective.values()].find(({ decision }) => decision === "deny");
  return against && deniedBecause(against);
}

async function toolOf(ctx: ReadContext, name: unknown, server: string | undefined): Promise<Tool | undefined> {
  if (typeof name !== "string") return undefined;
  const [assetId, ...others] = await recordsOf(ctx, { assetType: "tool", id: name, server });
  if (assetId === undefined || others.length > 0) return undefined;
  return (await ctx.db.lookup(tools, "asset", { assetId }))?.value;
}

async function hasDrifted(ctx: ReadContext, { pin, serverId }: Tool): Promise<boolean> {
  if (pin.state === "drifted") return true;
  if (serverId === null) return false;
  const server = await ctx.db.lookup(mcpServers, "asset", { assetId: serverId });
  return server?.value.manifest.state === "drifted";
}

async function recordsOf(ctx: ReadContext, name: Name): Promise<string[]> {
  const [ids = new Set<string>()] = await findRecords(ctx, [name]);
  return [...ids];
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
