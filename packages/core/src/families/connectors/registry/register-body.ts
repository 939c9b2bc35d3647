import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { refuseUnfit } from "#kernel/http/free-values.js";
import { schemaFaults } from "#kernel/http/schema-faults.js";
import { type GenericBody, splitBody } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { GivenSecrets, InstanceFields, Maintenance, Schedule } from "../instances/fields.js";
import { instanceStatus } from "../instances/machine.js";
import { INSTANCE_READ_ONLY } from "../instances/schema.js";

/** What a body may say besides the generic properties. */
export const BodyFields = z.object({
  providerKey: z.string().max(50).meta({ description: "Which connector. It never changes." }),
  ...InstanceFields.shape,
  schedule: z.strictObject(Schedule.partial().shape).meta({
    description: `${InstanceFields.shape.schedule.description} What is left out stays.`,
  }),
  secrets: GivenSecrets,
  maintenance: z
    .object({ until: Maintenance.shape.until.default(null), reason: Maintenance.shape.reason.default(null) })
    .nullable()
    .meta({ description: "For the status `maintenance`: until when. Its `reason` is that of the body." }),
  skipTest: z.boolean().meta({ description: "Goes without a test of the connection; takes a `reason`." }),
  confirmTarget: z.boolean().meta({ description: "Accepts that another system answers than before." }),
});
const GivenFields = BodyFields.partial();

export const InstanceRequest = openBody({
  id: "ConnectorInstanceRequest",
  fields: BodyFields,
  states: statesOf(instanceStatus),
  own: "The connector's own, as its `configurationSchema` says.",
  example: {
    name: "Models of the platform team",
    providerKey: "openai-compatible",
    environment: "production",
    configuration: { baseUrl: "https://models.example.com/v1" },
    secrets: { apiKey: "the key of the endpoint" },
  },
});

/** A generic body as it was read: fields, and `configuration` for the connector to check. */
export type InstanceBody = ReturnType<typeof readInstanceBody>;

/** Reads a generic body. `current` is the stored record, whose read-only values a body may repeat. */
export function readInstanceBody(body: GenericBody, current: object = {}) {
  const { configuration, ...rest } = body;
  const { fields, attributes } = splitBody(rest, Object.keys(BodyFields.shape), INSTANCE_READ_ONLY, current);
  const parsed = GivenFields.safeParse(fields);
  if (!parsed.success) throw new ReeveError("invalid_request", undefined, { errors: schemaFaults(parsed.error) });
  const { name, metadata, status, reason } = body;
  refuseUnfit({ metadata, attributes });
  const { providerKey, secrets, skipTest, confirmTarget, ...own } = parsed.data;
  const free = { name, metadata, attributes };
  const given = Object.fromEntries(Object.entries(free).filter(([, value]) => value !== undefined));
  return {
    providerKey,
    secrets,
    skipTest,
    confirmTarget,
    configuration,
    fields: { ...own, ...given } as Own,
    status,
    reason,
  };
}

type Own = Omit<z.output<typeof GivenFields>, "providerKey" | "secrets" | "skipTest" | "confirmTarget"> &
  Partial<Record<"metadata" | "attributes", Record<string, unknown>>> & { readonly name?: string };

/** 400 for a provider key that does not name the connector of a stored record. */
export function requireSameProvider(given: string | undefined, held: string): void {
  if (given === undefined || given === held) return;
  throw invalidProperty("/providerKey", "The connector of an instance never changes.", "read_only_property");
}
