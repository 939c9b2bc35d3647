import type { ConnectorInstance } from "#families/connectors/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type AccessProfile, accessProfiles } from "../profiles/schema.js";

/** The most profiles of a target that are looked at. */
const PROFILES = 1_000;

/** The JSON Schema of the body of a request for access to a target: what can be asked for now, and what it takes. */
export async function requestSchemaOf(
  ctx: ReadContext,
  { id: connectorInstanceId, name }: ConnectorInstance,
): Promise<Record<string, unknown>> {
  const { rows } = await ctx.db.find(accessProfiles, { where: { connectorInstanceId }, size: PROFILES });
  const profiles = rows
    .map(({ value }) => value)
    .filter(({ status, requestable }) => status === "approved" && requestable);
  const needsReason = profiles.some(({ requireReason }) => requireReason);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `Access to ${name}`,
    type: "object",
    required: ["connectorInstanceId", "items", ...(needsReason ? ["reason"] : [])],
    properties: {
      connectorInstanceId: { const: connectorInstanceId },
      items: {
        type: "array",
        minItems: 1,
        maxItems: 20,
        items: profiles.length > 0 ? { oneOf: profiles.map(itemOf) } : false,
      },
      identityId: { type: "string" },
      duration: { type: "string", format: "duration" },
      expiresAt: { type: "string", format: "date-time" },
      permanent: { type: "boolean" },
      notBefore: { type: "string", format: "date-time" },
      emergency: { type: "boolean" },
      reason: { type: "string", minLength: needsReason ? 10 : 0, maxLength: 2_000 },
      ticketRef: { type: "string", maxLength: 200 },
    },
  };
}

function itemOf(profile: AccessProfile): Record<string, unknown> {
  const { id, name, description, resourceId, parametersSchema, maxDuration, allowPermanent, riskLevel } = profile;
  return {
    type: "object",
    title: name,
    ...(description === null ? {} : { description }),
    required: ["accessProfileId", ...(resourceId === null ? ["resourceId"] : [])],
    additionalProperties: false,
    properties: {
      accessProfileId: { const: id },
      resourceId: resourceId === null ? { type: "string" } : { const: resourceId },
      parameters: parametersSchema ?? { type: "object" },
    },
    "x-max-duration": maxDuration,
    "x-allow-permanent": allowPermanent,
    "x-risk-level": riskLevel,
  };
}
