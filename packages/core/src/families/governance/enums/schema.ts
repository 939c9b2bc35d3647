import { z } from "zod";

const Value = z.object({
  value: z.string(),
  label: z.string().meta({ description: "The same in words." }),
  description: z.string().nullable(),
  ordinal: z.int().nullable().meta({ description: "Where the values are ordered: its place, from 1." }),
  terminal: z.boolean().meta({ description: "A state that nothing leads out of." }),
});

const Transition = z.object({
  event: z.string(),
  from: z.array(z.string()),
  to: z.string(),
  guards: z.array(z.object({ key: z.string(), description: z.string() })),
  requiresReason: z.boolean(),
  permission: z.string().nullable().meta({ description: "Beyond the operation's own." }),
  secondPerson: z.boolean(),
  automatic: z.boolean().meta({ description: "Brought about by time or another rule alone." }),
});

const CelField = z.object({
  path: z.string(),
  type: z.string(),
  description: z.string(),
  values: z.array(z.string()).nullable().meta({ description: "All it can hold, where that is known." }),
  optional: z.boolean().meta({ description: "May be absent; `has()` tells." }),
  volatile: z.boolean().meta({ description: "Changes by time alone." }),
});

/** Every enum of the API, from the same constants that the code uses. */
export const DomainEnums = z
  .object({
    schemaVersion: z.literal(1),
    digest: z.string().meta({ description: "SHA-256 of all the rest; the ETag." }),
    enums: z.record(z.string(), z.object({ open: z.boolean(), values: z.array(Value) })).meta({
      description: "By record and field, as in `ai_asset.environment`.",
    }),
    machines: z.record(
      z.string(),
      z.object({
        records: z.string(),
        field: z.string(),
        eventType: z.string(),
        initial: z.array(z.string()),
        transitions: z.array(Transition),
      }),
    ),
    reviewActions: z
      .array(
        z.object({
          action: z.string(),
          description: z.string(),
          allowedFrom: z.array(z.string()).meta({ description: "Statuses of findings." }),
          requires: z.array(z.string()),
          permission: z.string(),
        }),
      )
      .meta({ description: "What people can do about findings." }),
    eventTypes: z.array(z.object({ type: z.string(), description: z.string() })),
    cel: z.object({
      engine: z.string(),
      functions: z.array(z.object({ name: z.string(), signature: z.string() })),
      limits: z.record(z.string(), z.number()),
      environments: z.record(z.string(), z.array(CelField)).meta({
        description: "What rules may read: `posture`, `posture.<asset type>` and `runtime`.",
      }),
    }),
    frameworks: z
      .array(z.object({ key: z.string(), name: z.string(), edition: z.string(), version: z.int(), controls: z.int() }))
      .meta({ description: "The frameworks that come with this service; tenants may have others." }),
    limits: z.record(z.string(), z.number()),
  })
  .meta({ id: "DomainEnums" });
export type DomainEnums = z.output<typeof DomainEnums>;
