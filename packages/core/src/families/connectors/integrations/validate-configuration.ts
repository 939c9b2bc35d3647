import type { Connector } from "#connectors/connector.js";
import { type FieldError, ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { passingSecrets } from "../calls/parts/secret-source.js";
import { changesBetween } from "../configurations/compare-configurations.js";
import { requireOwners } from "../instances/instance-owners.js";
import { openSecrets } from "../instances/instance-secrets.js";
import type { Settings } from "../instances/instance-settings.js";
import { holdersOf } from "../instances/remove-holders.js";
import type { ConnectorInstance } from "../instances/schema.js";
import { changedSecrets } from "../instances/shown-settings.js";
import { ownOf, settingsAfter } from "../registry/change/prepare.js";
import { testWith } from "../registry/change/tested.js";
import { readInstanceBody, requireSameProvider } from "../registry/register-body.js";
import { answerOf, TestReport } from "../testing/test-report.js";

const Fault = z.object({
  pointer: z.string().meta({ description: "JSON Pointer into the body." }),
  message: z.string().meta({ description: "What is wrong." }),
});

/** What a configuration would mean for an integration. */
export const Validation = z
  .object({
    valid: z.boolean().meta({ description: "Whether it fits the connector." }),
    errors: z.array(Fault).meta({ description: "What does not." }),
    warnings: z.array(Fault).meta({ description: "What may be meant otherwise." }),
    willRequireRetest: z.boolean().meta({ description: "Whether it is tested before it is saved." }),
    affects: z.record(z.string(), z.int()).meta({ description: "What rests on the integration, and how much of it." }),
    live: TestReport.nullable().meta({ description: "What the system says; `null` where it was not asked." }),
  })
  .meta({ id: "ConfigurationValidation" });
type Validation = z.output<typeof Validation>;

interface Asked {
  readonly body: GenericBody;
  readonly live: boolean;
}

/** Judges a configuration in place of the stored one, and saves nothing. */
export async function validate(
  ctx: ReadContext,
  connector: Connector,
  instance: ConnectorInstance,
  { body, live }: Asked,
): Promise<Validation> {
  const opened = await openSecrets(ctx.env, ctx.principal.tenantId, instance.id);
  const { live: affects } = await holdersOf(ctx, instance.id);
  const settings = await judged(async () => {
    const given = readInstanceBody(body, instance);
    requireSameProvider(given.providerKey, instance.providerKey);
    await requireOwners(ctx, given.fields.ownerIds);
    return settingsAfter(connector, instance, opened, given, "replace");
  });
  if (Array.isArray(settings))
    return { valid: false, errors: settings, warnings: [], willRequireRetest: false, affects, live: null };
  const names = changedSecrets(opened.values, settings.secrets);
  const changes = changesBetween(instance.configuration, settings.configuration, names);
  const isCalled = instance.status === "active" || instance.status === "maintenance";
  const source = names.length > 0 ? passingSecrets(settings.secrets) : undefined;
  const tested = live ? await testWith(ctx, connector, ownOf(ctx, instance.id, settings, source)) : undefined;
  const report = tested?.report ?? null;
  return {
    valid: true,
    errors: [],
    warnings: warningsOf(instance, report),
    willRequireRetest: isCalled && changes.length > 0,
    affects,
    live: report,
  };
}

async function judged(read: () => Promise<Settings>): Promise<Settings | z.output<typeof Fault>[]> {
  try {
    return await read();
  } catch (error) {
    if (!ReeveError.is(error) || error.errors.length === 0) throw error;
    return error.errors.map(({ pointer = "", message }: FieldError) => ({ pointer, message }));
  }
}

function warningsOf({ target }: ConnectorInstance, report: TestReport | null): z.output<typeof Fault>[] {
  if (!target || !report || report.failure || answerOf(target, report) === "same") return [];
  const leads = report.target ? `It leads to "${report.target.name}"` : "It does not say which system it leads to";
  const message = `${leads} and no longer to "${target.name}".`;
  return [{ pointer: "/configuration", message }];
}
