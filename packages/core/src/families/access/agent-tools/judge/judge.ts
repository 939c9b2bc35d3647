import type { Manifest, ToolSpec } from "../../../../connectors/index.js";
import type { FieldError } from "../../../../kernel/http/errors.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { instances } from "../../../connectors/index.js";
import { isLive, sessions } from "../../../sessions/index.js";
import { ineffectiveBecause } from "../../assignments/rules.js";
import { type AccessAssignment, accessAssignments } from "../../assignments/schema.js";
import { circumstancesOf } from "../../assignments/view/view.js";
import { type AccessProfile, accessProfiles } from "../../profiles/schema.js";
import { limitsOf, misspelt, refusedBy } from "../constraints/rules.js";
import type { ToolConstraints } from "../constraints/schema.js";
import { faultsOf, meansTheSame, toolHash } from "../rules.js";

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
  const { tool, args, constraints } = attempt;
  const session = await sessionFault(ctx, attempt.sessionId);
  if (session) return session;
  const instance = (await ctx.db.get(instances, attempt.connectorInstanceId))?.value;
  const connector = instance && ctx.env.connectors.get(instance.providerKey);
  if (!connector?.executeTool || instance?.status !== "active")
    return no("connector_inactive", "The connection is not in use.");
  const { manifest } = connector;
  const pin = attempt.tools.find(({ name }) => name === tool);
  const spec = manifest.tools?.find(({ name }) => name === tool);
  if (!pin) return no("tool_not_allowed", "The token does not open this tool.");
  if (!spec || toolHash(spec) !== pin.schemaHash)
    return no("tool_definition_changed", "The tool is not what it was when the token was issued.");
  const faults = faultsOf(spec, args);
  if (faults.length > 0) return { ...no("invalid_arguments", "The arguments do not fit the tool."), faults };
  const wrong = misspelt(args) ?? refusedBy(constraints, spec, args);
  if (wrong !== undefined) return no("constraint_violation", wrong);
  return backed(ctx, attempt, spec, manifest);
}

async function sessionFault(ctx: ReadContext, sessionId: string | null): Promise<Refusal | undefined> {
  if (sessionId === null) return undefined;
  const row = await ctx.db.get(sessions, sessionId);
  const session = row && ctx.derived(sessions, row);
  if (session && isLive(session) && session.status === "active") return undefined;
  return no("session_inactive", "The session may not go on.", [`session:${session?.status ?? "missing"}`]);
}

/** The access that permits a call now: in force, meaning what was decided, and not narrower than the call. */
async function backed(
  ctx: ReadContext,
  attempt: Attempt,
  spec: ToolSpec,
  manifest: Manifest,
): Promise<Admission | Refusal> {
  const rows = await ctx.db.getMany(accessAssignments, attempt.assignmentIds);
  const all = rows
    .map((row) => ctx.derived(accessAssignments, row))
    .filter((one) => one.assetId === attempt.assetId && one.connectorInstanceId === attempt.connectorInstanceId);
  const profiles = await profilesOf(ctx, all);
  const opening = all.flatMap((one) => {
    const profile = profiles.get(one.accessProfileId);
    return profile && spec.requiresProfiles.includes(profile.externalId) ? [{ one, profile }] : [];
  });
  if (opening.length === 0) return no("tool_not_allowed", "No access of the token opens this tool.");
  const circumstances = circumstancesOf(ctx);
  const judged = await Promise.all(
    opening.map(async (each) => ({ ...each, because: ineffectiveBecause(each.one, await circumstances(each.one)) })),
  );
  const effective = judged.filter(({ because }) => because.length === 0);
  if (effective.length === 0)
    return no("assignment_inactive", "The access is not in force.", [...new Set(judged.flatMap((one) => one.because))]);
  const same = effective.filter(({ one, profile }) => meansTheSame(one, profile, manifest));
  if (same.length === 0)
    return no("tool_definition_changed", "The access means something else than when it was decided.");
  const wide = same.filter(({ one }) => refusedBy(limitsOf(one.parameters), spec, attempt.args) === undefined);
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
