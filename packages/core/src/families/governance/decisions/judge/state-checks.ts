import { type Asset, deniedBecause, type EffectiveDecision, usesTool } from "#families/estate/index.js";
import { limitReached, type Session } from "#families/sessions/index.js";
import { assetTypeOf, type Facts, resemblesAsset, sessionsOf } from "../ask/facts.js";
import type { Ask } from "../ask/request.js";
import type { DecisionReason } from "../schema.js";

/** The assets and sessions of a request, as far as Reeve has them. */
export interface Parties {
  readonly subject: Asset | undefined;
  readonly resource: Asset | undefined;
  /** Subject, resource and the agents of its sessions, without duplicates. */
  readonly all: readonly Asset[];
  /** What the agents of its sessions act as. */
  readonly identities: readonly Asset[];
  readonly sessions: readonly Session[];
}

const denied = (code: DecisionReason["code"], message: string): DecisionReason => ({
  code,
  policyKey: null,
  ruleKey: null,
  revision: null,
  message,
});

/** The assets and sessions that a request names. A session as subject stands for its agent. */
export function partiesOf(ask: Ask, facts: Facts): Parties {
  const running = sessionsOf(ask).flatMap((id) => facts.sessions.get(id) ?? []);
  const agents = running.flatMap(({ agentId }) => (agentId === null ? [] : (facts.assets.get(agentId) ?? [])));
  const own = facts.assets.get(ask.subject.id);
  const subject = own ?? (facts.sessions.has(ask.subject.id) ? agents.at(-1) : undefined);
  const resource = facts.assets.get(ask.resource.id);
  const all = [...new Set([subject, resource, ...agents].filter((asset) => asset !== undefined))];
  const identities = running.flatMap(({ identityId }) =>
    identityId === null ? [] : (facts.assets.get(identityId) ?? []),
  );
  return { subject, resource, all, identities, sessions: running };
}

/** Denials that no policy can override: by kill switches and halts, and by states of assets and sessions. */
export function stateDenials(ask: Ask, facts: Facts, parties: Parties, nowMs: number): DecisionReason[] {
  return [
    ...switchDenials(ask, facts),
    ...[ask.subject, ask.resource].flatMap((party) => partyDenials(party, facts)),
    ...[...parties.all, ...parties.identities].flatMap(({ id }) => assetDenials(id, facts)),
    ...sessionDenials(ask, facts, parties, nowMs),
  ].filter(({ code, message }, at, all) => at === all.findIndex((one) => one.code === code && one.message === message));
}

function switchDenials({ subject, resource }: Ask, { switched }: Facts): DecisionReason[] {
  const types = [subject.type, resource.type].map(assetTypeOf);
  const engaged = [
    switched.other,
    types.includes("agent") ? switched.agent : undefined,
    types.includes("mcp_server") ? switched.mcp_server : undefined,
  ];
  return engaged.flatMap((reason) => (reason === undefined ? [] : [denied(codeOf(reason), reason)]));
}

/**
 * The id of a party must be of an asset of this tenant when its type is a type of assets, and when the id resembles one.
 * A type of assets must be the asset's, however it is spelled.
 */
function partyDenials({ type, id }: Ask["subject"], { assets }: Facts): DecisionReason[] {
  const meant = assetTypeOf(type);
  const asset = assets.get(id);
  if (!asset) return meant || resemblesAsset(id) ? [denied("asset_unknown", "An id names no asset.")] : [];
  return meant && meant !== asset.assetType
    ? [denied("asset_type_mismatch", `${asset.id} is no asset of type "${type}".`)]
    : [];
}

function assetDenials(id: string, { effective }: Facts): DecisionReason[] {
  const decided = effective.get(id);
  if (decided?.decision !== "deny") return [];
  const [reason = ""] = decided.reasons;
  const because = denied(codeOf(reason), deniedBecause(decided));
  return [decided.path.length === 0 ? because : { ...because, path: [...decided.path] }];
}

function codeOf(reason: EffectiveDecision["reasons"][number]): DecisionReason["code"] {
  const [kind] = reason.split(":");
  return kind === "kill_switch" || kind === "halt" ? kind : "asset_denied";
}

/** The reason when an agent of the request does not say that it uses the tool. `undefined` when it does. */
export function undeclaredUse({ graph }: Facts, { resource, all }: Parties): DecisionReason | undefined {
  if (resource?.assetType !== "tool") return undefined;
  const agent = all.find((asset) => asset.assetType === "agent" && !usesTool(graph, asset, resource));
  return agent && denied("not_related", `The agent ${agent.id} does not say that it uses the tool.`);
}

function sessionDenials(ask: Ask, facts: Facts, parties: Parties, nowMs: number): DecisionReason[] {
  const { sessionEpoch } = ask.context;
  const agentId = parties.subject?.assetType === "agent" ? parties.subject.id : undefined;
  return sessionsOf(ask).flatMap((id) => {
    const session = facts.sessions.get(id);
    if (!session) return [denied("session_unknown", "An id names no session.")];
    if (session.status !== "active") return [denied("session_not_active", `The session is ${session.status}.`)];
    if (session.agentId !== null && !facts.assets.has(session.agentId))
      return [denied("asset_unknown", "The session has no agent any more.")];
    if (session.identityId !== null && !facts.assets.has(session.identityId))
      return [denied("asset_unknown", "The session has no identity any more.")];
    if (agentId !== undefined && session.agentId !== null && session.agentId !== agentId)
      return [denied("session_mismatch", "The session is another agent's.")];
    if (sessionEpoch !== undefined && sessionEpoch !== session.controlEpoch)
      return [denied("session_epoch", "Something was decided about the session since.")];
    const reached = limitReached(session, nowMs);
    return reached === undefined ? [] : [denied("session_limit", `The limit ${reached} is reached.`)];
  });
}
