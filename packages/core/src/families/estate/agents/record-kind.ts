import { optionsOf } from "#families/options.js";
import { invalidProperty } from "#kernel/http/errors.js";
import { defineRecordKind } from "../records/declare/kind.js";
import { agentStatus } from "./agent-status.js";
import { requireAnswering } from "./answering-identity.js";
import { AgentCard } from "./card/card.js";
import { cardDigest, judgeCard, type SignatureStatus } from "./card/signatures.js";
import { AGENT_DEFAULTS, AGENT_READ_ONLY, type Agent, AgentFields, agentReferences, agents } from "./schema.js";

/** Agents as the typed records of assets of type `agent`. */
export const agentKind = defineRecordKind<Agent, AgentFields>({
  assetType: "agent",
  permission: "ai-agent",
  capability: "ai_registry",
  collection: agents,
  status: { of: agentStatus },
  fields: AgentFields,
  defaults: AGENT_DEFAULTS,
  address: "endpointUrl",
  readOnly: AGENT_READ_ONLY,
  references: agentReferences,
  check(ctx, { fields: { heartbeatAt } }) {
    if (heartbeatAt != null && heartbeatAt > ctx.now)
      throw invalidProperty("/heartbeatAt", "It cannot have reported itself later than now.");
  },
  async prepare(ctx, body) {
    const { data } = AgentCard.safeParse(body.agentCard ?? body.configuration?.agentCard);
    return data && judgeCard(data, optionsOf(ctx.env).agentCardKeys);
  },
  complete(_ctx, { agentCard }, _before, judged) {
    if (agentCard === undefined) return {};
    if (agentCard === null) return { cardDigest: null, signatureStatus: "none" };
    const unjudged: SignatureStatus = agentCard.signatures?.length ? "unverified" : "none";
    const signatureStatus = (judged as SignatureStatus | undefined) ?? unjudged;
    return { cardDigest: cardDigest(agentCard), signatureStatus };
  },
  async follow(ctx, before, after) {
    const isOther = before && after && after.identityId !== null && before.identityId !== after.identityId;
    if (isOther) await requireAnswering(ctx, before);
  },
  material: (before, after) => [
    ...(["modelIds", "toolIds", "mcpServerIds"] as const).filter((field) =>
      after[field].some((id) => !before[field].includes(id)),
    ),
    ...(before.cardDigest === after.cardDigest && before.signatureStatus === after.signatureStatus
      ? []
      : ["agentCard"]),
    ...(["identityId", "instructionsDigest", "endpointUrl"] as const).filter((field) => before[field] !== after[field]),
  ],
});
