import type { Context } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { passingSecrets } from "../calls/parts/secret-source.js";
import { passingState } from "../calls/parts/state.js";
import { GivenSecrets } from "../instances/fields.js";
import { checkedSettings, mergeSecrets, sortSecrets } from "../instances/instance-settings.js";
import { testWith } from "../registry/change/tested.js";
import { readInstanceBody } from "../registry/register-body.js";
import { TestReport } from "../testing/test-report.js";
import { spendDraftTest } from "./draft-quota.js";
import { connectorNamed } from "./queries.js";
import { ByProviderKey } from "./schema.js";

/** What a test of settings answers. */
export const DraftTest = TestReport.extend({
  normalizedConfiguration: z.record(z.string(), z.unknown()).meta({
    description: "The configuration as the connector reads it, without secrets.",
  }),
}).meta({ id: "ConnectorDraftTest" });

const DraftTestRequest = openBody({
  id: "ConnectorDraftTestRequest",
  fields: z.object({ secrets: GivenSecrets }),
  own: "The settings to test, as the connector's `configurationSchema` says.",
  example: {
    configuration: { baseUrl: "https://models.example.com/v1" },
    secrets: { apiKey: "the key of the endpoint" },
  },
});

/** Tests settings that are not stored, outside of transactions. */
export async function testDraft(ctx: ReadContext, providerKey: string, given: GenericBody) {
  const connector = connectorNamed(ctx, providerKey);
  const body = readInstanceBody(given);
  const sorted = sortSecrets(connector, body.configuration, body.secrets);
  const { configuration } = sorted;
  const { parsed, secrets } = checkedSettings(connector, { configuration, secrets: mergeSecrets({}, sorted.secrets) });
  await spendDraftTest(ctx);
  const own = { instanceId: null, config: parsed, secrets: passingSecrets(secrets), state: passingState() };
  const { report } = await testWith(ctx, connector, own);
  return { body, answer: { ...report, normalizedConfiguration: parsed } };
}

/** What the test of a draft is at every path. */
export const draftTest = {
  method: "POST",
  access: { permission: "connector:test", capability: "connectors" },
  killSwitches: ["connectors.outbound"],
  expensive: true,
  success: { status: 201, schema: DraftTest },
} as const;

export const testConnectorDraft = defineOperation({
  ...draftTest,
  id: "connectors.test",
  path: "/api/v1/connectors/{providerKey}/test",
  tag: "Connector Catalog",
  summary: "Test settings of a connection before it is set up",
  description:
    "Nothing of them is kept. It says for each capability whether it will work. A tenant has 5 of these a minute; one takes at most 20 seconds.",
  params: ByProviderKey,
  body: DraftTestRequest,
  errors: ["connector_error", "overloaded", "read_only_property"],
  prepare: (ctx, { params, body }) => testDraft(ctx, params.providerKey, body),
  handler: (ctx, { params }, tested) => recordDraft(ctx, params.providerKey, tested),
});

/** Keeps that settings were tested, without them. */
export async function recordDraft(
  ctx: Context,
  providerKey: string,
  { body, answer }: Awaited<ReturnType<typeof testDraft>>,
): Promise<z.output<typeof DraftTest>> {
  const { ok, failure } = answer;
  const { fields, reason = null } = body;
  await ctx.emit({
    type: "connector.draft_tested",
    subject: { id: providerKey, type: "connector", path: `/api/v1/connectors/${providerKey}` },
    outcome: ok ? "success" : "failure",
    data: { providerKey, ok, errorClass: failure?.errorClass ?? null, reason, given: fields },
  });
  return answer;
}
