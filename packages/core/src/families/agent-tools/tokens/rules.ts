import type { Manifest, ToolSpec } from "#connectors/index.js";
import { type AccessProfile, definitionHash } from "#families/access/index.js";
import type { AccessAssignment } from "#families/access-grants/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { schemaInOrder } from "#kernel/events/schema-order.js";
import type { FieldError } from "#kernel/http/errors.js";
import { schemaFaults } from "#kernel/http/schema-faults.js";
import { cutText } from "#kernel/records/cut-text.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";

/** The kill switch of calls with agent-tool tokens. */
export const EXECUTE = "agent_tools.execute";

/** Live tokens of an asset at a time. */
export const MOST_TOKENS = 20;
/** Calls of a token in a minute. */
export const CALLS_A_MINUTE = 60;
export const TTL = { least: 30, usual: 300, most: 3_600 } as const;

/** Whether a text has the form of a token. Others need no query. */
export const isToken = (text: string): boolean => /^att_[A-Za-z0-9_-]{43}$/.test(text);

/** Hash of a tool as it is described to agents and limited by us. */
export function toolHash({ name, description, inputSchema, effect, idempotent, requiresProfiles }: ToolSpec): string {
  const profiles = [...requiresProfiles].sort();
  const schema = schemaInOrder({ ...inputSchema });
  return sha256(canonical({ name, description, inputSchema: schema, effect, idempotent, requiresProfiles: profiles }));
}

const schemas = new WeakMap<object, z.ZodType>();

/** What is wrong with the arguments of a tool; empty when nothing is. Names that the tool does not know are refused. */
export function faultsOf({ inputSchema }: ToolSpec, args: Readonly<Record<string, unknown>>): FieldError[] {
  const properties = (inputSchema as { properties?: object }).properties ?? {};
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length > 0)
    return unknown.slice(0, 20).map((name) => ({
      pointer: `/arguments/${cutText(name, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`,
      code: "unknown_property",
      message: "The tool does not take it.",
    }));
  let schema = schemas.get(inputSchema);
  if (!schema) {
    schema = z.fromJSONSchema(inputSchema as never);
    schemas.set(inputSchema, schema);
  }
  const { error } = schema.safeParse(args);
  return error ? schemaFaults(error).map((one) => ({ ...one, pointer: `/arguments${one.pointer ?? ""}` })) : [];
}

/**
 * Whether access still means what was decided: its profile is approved, and it and its tools, as the connector has them
 * now, are what they were then.
 */
export function meansTheSame(one: AccessAssignment, profile: AccessProfile, { tools = [] }: Manifest): boolean {
  const own = tools.filter(({ requiresProfiles }) => requiresProfiles.includes(profile.externalId));
  return profile.status === "approved" && definitionHash(profile, own) === one.approvedHash;
}

/** Names of the tools that access opens. */
export const toolsOf = (profile: Pick<AccessProfile, "externalId">, { tools = [] }: Manifest): ToolSpec[] =>
  tools.filter(({ requiresProfiles }) => requiresProfiles.includes(profile.externalId));
