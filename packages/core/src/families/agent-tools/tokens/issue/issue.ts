import { randomBytes } from "node:crypto";
import type { Manifest, ToolSpec } from "#connectors/index.js";
import { accessProfiles } from "#families/access/index.js";
import {
  type AccessAssignment,
  accessAssignments,
  circumstancesOf,
  ineffectiveBecause,
} from "#families/access-grants/index.js";
import { instances } from "#families/connectors/index.js";
import { type Asset, assets } from "#families/estate/index.js";
import { type Session, sessions } from "#families/sessions/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { cutText, nameOf } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { liveTokens } from "../end-token.js";
import { MOST_TOKENS, meansTheSame, TTL, toolHash, toolsOf } from "../rules.js";
import { type AgentToolToken, AUDIENCE, agentToolKeys, agentToolTokens } from "../schema.js";
import { constraintsOf, type IssuedToken, type TokenRequest } from "./body.js";
import { requireIssuer } from "./may-issue.js";

/** The access of one asset that is looked at. */
const MOST = 500;

/** Categories of connectors whose tools run through the door for agents. */
const DOORS: ReadonlySet<string> = new Set(["code", "mcp"]);

/** The keyed hash that a token is found by. The token itself is kept nowhere. */
export const keyOf = ({ secretBox }: Pick<Environment, "secretBox">, token: string): string =>
  secretBox.fingerprint(token, "agent tool token");

const refused = (message: string) => new ReeveError("transition_guard_failed", message);

/** What a token can rest on: access in force that means what was decided, and the tools that it opens. */
interface Basis {
  readonly connectorInstanceId: string;
  readonly access: readonly { readonly one: AccessAssignment; readonly tools: readonly ToolSpec[] }[];
}

/** Issues a token for tools, in one transaction with what it rests on. 409 where nothing carries it. */
export async function issueToken(ctx: Context, assetId: string, body: TokenRequest): Promise<IssuedToken> {
  const asset = await ctx.getOrThrow(assets, assetId);
  requireIssuer(ctx, asset);
  if (body.honeytoken) requirePermission(ctx.env, ctx.principal, "agent-tool-token:revoke");
  if ((await liveTokens(ctx, asset.id)) >= MOST_TOKENS)
    throw new ReeveError("limit_exceeded", `An asset has at most ${MOST_TOKENS} live tokens.`);
  const sessionId = await sessionOf(ctx, asset, body.sessionId);
  const basis = body.honeytoken ? { connectorInstanceId: null, access: [] } : await basisOf(ctx, asset.id, body);
  const tools = body.honeytoken ? [] : namedTools(basis.access, body.tools);
  const names = new Set(tools.map(({ name }) => name));
  const carrying = basis.access.filter((each) => each.tools.some(({ name }) => names.has(name)));
  const ends = carrying.flatMap(({ one }) => one.expiresAt ?? []);
  const asked = timestamp(ctx.request.nowMs + (body.ttlSeconds ?? TTL.usual) * 1_000);
  const expiresAt = [asked, ...ends].sort()[0] as string;
  const token = `att_${randomBytes(32).toString("base64url")}`;
  const constraints = constraintsOf(body.constraints);
  const stored = await ctx.insert(
    agentToolTokens,
    {
      name: body.name ?? nameOf(`Tools of ${asset.name}`),
      status: "active",
      metadata: {},
      ...{ audience: AUDIENCE, last4: token.slice(-4), assetId: asset.id, sessionId, constraints, expiresAt },
      issuedBy: { kind: ctx.principal.kind, id: ctx.principal.userId },
      connectorInstanceId: basis.connectorInstanceId,
      assignmentIds: carrying.map(({ one }) => one.id),
      tools: tools.map((spec) => ({ name: spec.name, schemaHash: toolHash(spec) })),
      ...{ callsUsed: 0, bytesUsed: 0, minute: ctx.now, minuteCalls: 0, honeytoken: body.honeytoken === true },
      ...{ endedAt: null, endReason: null, findingId: null, lastUsedAt: null, lastUsedFrom: null },
    },
    { event: false },
  );
  await ctx.insert(
    agentToolKeys,
    { id: keyOf(ctx.env, token), version: 1, createdAt: ctx.now, tokenId: stored.id, expiresAt },
    { event: false },
  );
  await reportIssued(ctx, stored, body.reason ?? null);
  const { id, connectorInstanceId, assignmentIds } = stored;
  return { id, token, expiresAt, connectorInstanceId, tools: [...names], constraints, assignmentIds };
}

function reportIssued(ctx: Context, record: AgentToolToken, reason: string | null): Promise<void> {
  const { id, assetId, connectorInstanceId, constraints, assignmentIds, expiresAt, honeytoken, sessionId } = record;
  const tools = record.tools.map(({ name }) => name);
  return ctx.emit({
    type: "access.token.issued",
    subject: subjectOf(agentToolTokens, id),
    related: [assetId, connectorInstanceId, sessionId].filter((one) => one !== null),
    data: { assetId, tools, constraints, assignmentIds, expiresAt, honeytoken, sessionId, reason },
  });
}

async function sessionOf(ctx: Context, asset: Asset, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null;
  const row = await ctx.db.get(sessions, id);
  const session = row && (await ctx.current(sessions, row));
  if (!session || !isOfAsset(ctx, session, asset.id))
    throw invalidProperty("/sessionId", "There is no such session of the asset.", "invalid_reference");
  if (session.status !== "active") throw refused(`The session is ${session.status}.`);
  return session.id;
}

/** One without an agent is of whoever has started it, or acts under its identity. */
function isOfAsset({ principal: { userId } }: Context, session: Session, assetId: string): boolean {
  if (session.agentId !== null) return session.agentId === assetId;
  return session.createdBy === userId || session.identityId === userId;
}

async function basisOf(ctx: Context, assetId: string, body: TokenRequest): Promise<Basis> {
  const found = await ctx.db.find(accessAssignments, { where: { liveFor: assetId }, size: MOST });
  const live = found.rows.map((row) => ctx.derived(accessAssignments, row));
  const { assignmentIds: wanted, connectorInstanceId: target } = body;
  const own = new Set(live.map(({ id }) => id));
  const unknown = wanted?.findIndex((id) => !own.has(id)) ?? -1;
  if (unknown >= 0)
    throw invalidProperty(`/assignmentIds/${unknown}`, "The asset has no such access.", "invalid_reference");
  const chosen = live
    .filter((one) => wanted === undefined || wanted.includes(one.id))
    .filter((one) => target === undefined || one.connectorInstanceId === target);
  const circumstances = circumstancesOf(ctx);
  const inForce: AccessAssignment[] = [];
  for (const one of chosen) if (ineffectiveBecause(one, await circumstances(one)).length === 0) inForce.push(one);
  const opening = await openingOf(ctx, inForce);
  const targets = [...new Set(opening.map(({ one }) => one.connectorInstanceId))];
  if (targets.length > 1) throw invalidProperty("/connectorInstanceId", "It has access in several targets: name one.");
  const [connectorInstanceId] = targets;
  if (connectorInstanceId === undefined) throw refused("No access in force opens a tool.");
  return { connectorInstanceId, access: opening };
}

/** Access that opens tools of its target, which mean what was decided. */
async function openingOf(ctx: ReadContext, some: readonly AccessAssignment[]) {
  const profiles = await ctx.db.getMany(accessProfiles, [...new Set(some.map((one) => one.accessProfileId))]);
  const targets = await ctx.db.getMany(instances, [...new Set(some.map((one) => one.connectorInstanceId))]);
  const profileOf = new Map(profiles.map(({ id, value }) => [id, value]));
  const manifestOf = new Map<string, Manifest>();
  for (const { id, value } of targets) {
    const connector = ctx.env.connectors.get(value.providerKey);
    const { category = "other" } = connector?.manifest ?? {};
    if (connector?.executeTool && DOORS.has(category) && value.status === "active")
      manifestOf.set(id, connector.manifest);
  }
  return some.flatMap((one) => {
    const [profile, manifest] = [profileOf.get(one.accessProfileId), manifestOf.get(one.connectorInstanceId)];
    if (!profile || !manifest || !meansTheSame(one, profile, manifest)) return [];
    const tools = toolsOf(profile, manifest);
    return tools.length > 0 ? [{ one, tools }] : [];
  });
}

/** The tools that are asked for. 409 for one that no access opens. */
function namedTools(access: Basis["access"], wanted: readonly string[] | undefined): ToolSpec[] {
  const all = new Map(access.flatMap(({ tools }) => tools.map((spec) => [spec.name, spec] as const)));
  if (wanted === undefined) return [...all.values()];
  const missing = wanted.find((name) => !all.has(name));
  if (missing !== undefined) throw refused(`No access in force opens the tool "${cutText(missing, 100)}".`);
  return [...new Set(wanted)].map((name) => all.get(name) as ToolSpec);
}
