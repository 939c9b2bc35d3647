import type { Manifest, ToolSpec } from "#connectors/index.js";
import { type AccessProfile, accessProfiles } from "#families/access/index.js";
import {
  type AccessAssignment,
  accessAssignments,
  circumstancesOf,
  ineffectiveBecause,
} from "#families/access-grants/index.js";
import { instances } from "#families/connectors/index.js";
import { isLive, sessions } from "#families/sessions/index.js";
import type { FieldError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { limitsOf, misspelt, refusedBy } from "./constraints/rules.js";
import type { ToolConstraints } from "./constraints/schema.js";
import { faultsOf, meansTheSame, toolHash } from "./rules.js";

export const REFUSALS = [
  ...["tool_not_allowed", "tool_definition_changed", "constraint_violation", "assignment_inactive"],
  ...["invalid_arguments", "session_inactive", "connector_inactive"],
] as const;

/** Why a call is not made. Nothing in it comes from the target. */
export interface Refusal {
  readonly code: (typeof REFUSALS)[number];
  readonly message: string;
  readonly reasons?: readonly string[];
  readonly faults?: readonly FieldError[];
}

/** What somebody wants to run, and what it rests on. */
export interface Attempt {
  readonly assetId: string;
  readonly connectorInstanceId: string;
  readonly assignmentIds: readonly string[];
  readonly tools: readonly { readonly name: string; readonly schemaHash: string }[];
  readonly constraints: ToolConstraints;
  readonly sessionId: string | null;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call that may be made, and the access that permits it. */
export interface Admission {
  readonly spec: ToolSpec;
  readonly manifest: Manifest;
  readonly backing: readonly [AccessAssignment, ...AccessAssignment[]];
}

const no = (code: Refusal["code"], message: string, reasons?: readonly string[]): Refusal => ({
  code,
  message,
  ...(reasons ? { reasons } : {}),
});

/** Whether a call may be made at this moment. Everything that it depends on is read now. */
export async function judge(ctx: ReadContext, attempt: Attempt): Promise<Admission | Refusal> {
  const { args, constraints } = attempt;
  const manifest = await manifestBehind(ctx, attempt);
  if ("code" in manifest) return manifest;
  const spec = pinnedTool(attempt.tools, attempt.tool, manifest);
  if ("code" in spec) return spec;
  const faults = faultsOf(spec, args);
  if (faults.length > 0) return { ...no("invalid_arguments", "The arguments do not fit the tool."), faults };
  const wrong = misspelt(args) ?? refusedBy(constraints, spec, args);
  if (wrong !== undefined) return no("constraint_violation", wrong);
  return backed(await accessBehind(ctx, attempt), spec, manifest, (limits) => refusedBy(limits, spec, args));
}

/** The tools that could be called at this moment with some arguments, as the connector has them now. */
export async function callable(ctx: ReadContext, attempt: Omit<Attempt, "tool" | "args">): Promise<ToolSpec[]> {
  const manifest = await manifestBehind(ctx, attempt);
  if ("code" in manifest) return [];
  const access = await accessBehind(ctx, attempt);
  const refused = ({ readOnly }: { readonly readOnly: boolean }, { effect }: ToolSpec) =>
    readOnly && effect !== "read" ? "Only tools that read are permitted." : undefined;
  return attempt.tools.flatMap(({ name }) => {
    const spec = pinnedTool(attempt.tools, name, manifest);
    if ("code" in spec || refused(attempt.constraints, spec) !== undefined) return [];
    return "code" in backed(access, spec, manifest, (limits) => refused(limits, spec)) ? [] : [spec];
  });
}

/** The connector behind a token, while its session and its connection are in use. */
async function manifestBehind(
  ctx: ReadContext,
  { sessionId, connectorInstanceId }: Pick<Attempt, "sessionId" | "connectorInstanceId">,
): Promise<Manifest | Refusal> {
  const session = await sessionFault(ctx, sessionId);
  if (session) return session;
  const instance = (await ctx.db.get(instances, connectorInstanceId))?.value;
  const connector = instance && ctx.env.connectors.get(instance.providerKey);
  if (!connector?.executeTool || instance?.status !== "active")
    return no("connector_inactive", "The connection is not in use.");
  return connector.manifest;
}

/** A tool that the token opens, while it is what it was when the token was issued. */
function pinnedTool(tools: Attempt["tools"], tool: string, manifest: Manifest): ToolSpec | Refusal {
  const pin = tools.find(({ name }) => name === tool);
  const spec = manifest.tools?.find(({ name }) => name === tool);
  if (!pin) return no("tool_not_allowed", "The token does not open this tool.");
  if (!spec || toolHash(spec) !== pin.schemaHash)
    return no("tool_definition_changed", "The tool is not what it was when the token was issued.");
  return spec;
}

async function sessionFault(ctx: ReadContext, sessionId: string | null): Promise<Refusal | undefined> {
  if (sessionId === null) return undefined;
  const row = await ctx.db.get(sessions, sessionId);
  const session = row && ctx.derived(sessions, row);
  if (session && isLive(session) && session.status === "active") return undefined;
  return no("session_inactive", "The session may not go on.", [`session:${session?.status ?? "missing"}`]);
}

interface Access {
  readonly one: AccessAssignment;
  readonly profile: AccessProfile;
  /** Why it is not in force; empty when it is. */
  readonly because: readonly string[];
}

/** The access that a token rests on, as it is now. */
async function accessBehind(
  ctx: ReadContext,
  attempt: Pick<Attempt, "assetId" | "assignmentIds" | "connectorInstanceId">,
): Promise<Access[]> {
  const rows = await ctx.db.getMany(accessAssignments, attempt.assignmentIds);
  const all = rows
    .map((row) => ctx.derived(accessAssignments, row))
    .filter((one) => one.assetId === attempt.assetId && one.connectorInstanceId === attempt.connectorInstanceId);
  const profiles = await profilesOf(ctx, all);
  const circumstances = circumstancesOf(ctx);
  const found = await Promise.all(
    all.map(async (one) => {
      const profile = profiles.get(one.accessProfileId);
      return profile && { one, profile, because: ineffectiveBecause(one, await circumstances(one)) };
    }),
  );
  return found.filter((access) => access !== undefined);
}

/** The access that permits a call: in force, meaning what was decided, and not narrower than the call. */
function backed(
  access: readonly Access[],
  spec: ToolSpec,
  manifest: Manifest,
  refused: (limits: ReturnType<typeof limitsOf>) => string | undefined,
): Admission | Refusal {
  const opening = access.filter(({ profile }) => spec.requiresProfiles.includes(profile.externalId));
  if (opening.length === 0) return no("tool_not_allowed", "No access of the token opens this tool.");
  const effective = opening.filter(({ because }) => because.length === 0);
  if (effective.length === 0)
    return no("assignment_inactive", "The access is not in force.", [
      ...new Set(opening.flatMap(({ because }) => because)),
    ]);
  const same = effective.filter(({ one, profile }) => meansTheSame(one, profile, manifest));
  if (same.length === 0)
    return no("tool_definition_changed", "The access means something else than when it was decided.");
  const wide = same.filter(({ one }) => refused(limitsOf(one.parameters)) === undefined);
  const [first] = wide;
  if (!first) return no("constraint_violation", "No access permits it with these arguments.");
  const backing = wide.map(({ one }) => one).filter(({ identityId }) => identityId === first.one.identityId);
  return { spec, manifest, backing: backing as [AccessAssignment, ...AccessAssignment[]] };
}

async function profilesOf(ctx: ReadContext, some: readonly AccessAssignment[]): Promise<Map<string, AccessProfile>> {
  const ids = [...new Set(some.map(({ accessProfileId }) => accessProfileId))];
  const rows = await ctx.db.getMany(accessProfiles, ids);
  return new Map(rows.map(({ id, value }) => [id, value]));
}
