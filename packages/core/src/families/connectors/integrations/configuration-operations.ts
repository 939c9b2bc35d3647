import { ReeveError } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { recordFields } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { ConfigurationVersion, configurationVersions } from "../configurations/schema.js";
import { ConnectorInstance, instances } from "../instances/schema.js";
import { storeChange } from "../registry/change/change.js";
import { prepareChange } from "../registry/change/prepare.js";
import { CHANGE_ERRORS, may } from "../registry/operations.js";
import { InstanceRequest } from "../registry/register-body.js";
import { PATH, shared } from "./operations.js";
import { Validation, validate } from "./validate-configuration.js";

/** How many of its former configurations an answer shows. */
const SHOWN = 20;
const { configuration, secrets, configurationVersion, manifestVersion, target, lastTest } = ConnectorInstance.shape;
const { id, version, createdAt, updatedAt } = recordFields;

const IntegrationConfiguration = z
  .object({
    ...{ id, version, createdAt, updatedAt },
    ...{ configuration, secrets, configurationVersion, manifestVersion, target, lastTest },
    history: z
      .array(ConfigurationVersion.pick({ number: true, createdAt: true, createdBy: true, changes: true, reason: true }))
      .meta({ description: `Its last ${SHOWN} configurations, newest first.` }),
  })
  .meta({ id: "IntegrationConfiguration" });

async function shown(ctx: ReadContext, instance: ConnectorInstance) {
  const { rows } = await ctx.db.find(configurationVersions, { where: { instanceId: instance.id }, size: SHOWN });
  const history = rows.map(({ value: { number, createdAt: at, createdBy, changes, reason } }) => ({
    ...{ number, createdAt: at, createdBy, changes, reason },
  }));
  const numbered = history.sort((one, other) => other.number - one.number);
  return { ...IntegrationConfiguration.omit({ history: true }).parse(instance), history: numbered };
}

export const readIntegrationConfiguration = defineOperation({
  ...shared,
  id: "integrations.readConfiguration",
  method: "GET",
  path: `${PATH}/{id}/configuration`,
  summary: "Read how an integration is configured, and how it was before",
  access: may("read"),
  params: ById,
  success: { status: 200, schema: IntegrationConfiguration },
  handler: async (ctx, { params }) => shown(ctx, await ctx.getOrThrow(instances, params.id)),
});

export const replaceIntegrationConfiguration = defineOperation({
  ...shared,
  id: "integrations.replaceConfiguration",
  method: "PUT",
  path: `${PATH}/{id}/configuration`,
  summary: "Replace the configuration of an integration",
  description:
    "Properties left out are gone; secrets left out stay, and `null` clears one. An active integration is tested with it first.",
  access: may("write"),
  params: ById,
  body: InstanceRequest,
  success: { status: 200, schema: IntegrationConfiguration },
  errors: CHANGE_ERRORS,
  prepare: (ctx, { params, body }) => prepareChange(ctx, params.id, body, "replace"),
  handler: async (ctx, _input, prepared) => shown(ctx, await storeChange(ctx, prepared)),
});

export const validateIntegrationConfiguration = defineOperation({
  ...shared,
  id: "integrations.validateConfiguration",
  method: "POST",
  effect: "read",
  path: `${PATH}/{id}/configuration/validate`,
  summary: "Say what is wrong with a configuration of an integration, and what it would mean",
  description: "Nothing is saved. With `live=true` the system is asked as well.",
  access: may("write"),
  expensive: true,
  params: ById,
  query: z.strictObject({
    live: z
      .stringbool({ truthy: ["true"], falsy: ["false"] })
      .optional()
      .meta({ description: "Whether to test the connection with it." }),
  }),
  body: InstanceRequest,
  success: { status: 200, schema: Validation },
  errors: ["connector_error", "kill_switch_active", "not_configured", "overloaded", "secret_unavailable"],
  async handler(ctx, { params, query, body }) {
    const instance = await ctx.getOrThrow(instances, params.id);
    const connector = ctx.env.connectors.get(instance.providerKey);
    if (!connector) throw new ReeveError("not_configured", "The connector of this integration is not there any more.");
    return validate(ctx, connector, instance, { body, live: query.live ?? false });
  },
});
