import { z } from "#schema/z.js";

const Value = z.object({
  value: z.string().meta({ description: "As it stands in records." }),
  label: z.string().meta({ description: "The same in words." }),
  description: z.string().nullable().meta({ description: "What it means." }),
  ordinal: z.int().nullable().meta({ description: "Where the values are ordered: its place, from 1." }),
  terminal: z.boolean().meta({ description: "A state that nothing leads out of." }),
});

const Transition = z.object({
  event: z.string().meta({ description: "Names the transition." }),
  from: z.array(z.string()).meta({ description: "States it leads out of." }),
  to: z.string().meta({ description: "State it leads to." }),
  guards: z
    .array(
      z.object({
        key: z.string().meta({ description: "Names the condition." }),
        description: z.string().meta({ description: "What must hold." }),
      }),
    )
    .meta({ description: "Conditions that must be met." }),
  requiresReason: z.boolean().meta({ description: "Wants a reason." }),
  stops: z.boolean().meta({ description: "Acts without a reason too, which is asked for afterwards." }),
  permission: z.string().nullable().meta({ description: "Beyond the operation's own." }),
  fourEyes: z.boolean().meta({ description: "Wants another person than who asked." }),
  automatic: z.boolean().meta({ description: "Brought about by time or another rule alone." }),
});

const CelField = z.object({
  path: z.string().meta({ description: "How rules write it." }),
  type: z.string().meta({ description: "Its CEL type." }),
  description: z.string().meta({ description: "What it holds." }),
  values: z.array(z.string()).nullable().meta({ description: "All it can hold, where that is known." }),
  optional: z.boolean().meta({ description: "May be absent; `has()` tells." }),
  volatile: z.boolean().meta({ description: "Changes by time alone." }),
});

/** Every enum of the API, from the same constants that the code uses. */
export const DomainEnums = z
  .object({
    schemaVersion: z.literal(1).meta({ description: "Version of this form." }),
    digest: z.string().meta({ description: "SHA-256 of all the rest; the ETag." }),
    enums: z
      .record(
        z.string(),
        z.object({
          open: z.boolean().meta({ description: "Other values may be met." }),
          values: z.array(Value).meta({ description: "The values, in order." }),
        }),
      )
      .meta({
        description: "By record and field, as in `ai_asset.environment`.",
      }),
    machines: z
      .record(
        z.string(),
        z.object({
          records: z.string().meta({ description: "Type of its records." }),
          field: z.string().meta({ description: "The field it owns." }),
          eventType: z.string().meta({ description: "Type of its events." }),
          initial: z.array(z.string()).meta({ description: "States that records begin in." }),
          transitions: z.array(Transition).meta({ description: "How states change." }),
        }),
      )
      .meta({ description: "State machines by name." }),
    reviewActions: z
      .array(
        z.object({
          action: z.string().meta({ description: "Names the action." }),
          description: z.string().meta({ description: "What it does." }),
          allowedFrom: z.array(z.string()).meta({ description: "Statuses of findings." }),
          requires: z.array(z.string()).meta({ description: "Fields it needs." }),
          permission: z.string().meta({ description: "Who may do it." }),
          ownerMay: z.boolean().meta({ description: "Whether the owner of the asset may do it as well." }),
        }),
      )
      .meta({ description: "What people can do about findings." }),
    eventTypes: z
      .array(
        z.object({
          type: z.string().meta({ description: "Names the type." }),
          description: z.string().meta({ description: "When it is emitted." }),
        }),
      )
      .meta({ description: "Types of events." }),
    cel: z
      .object({
        engine: z.string().meta({ description: "What computes expressions." }),
        functions: z
          .array(
            z.object({
              name: z.string().meta({ description: "Names the function." }),
              signature: z.string().meta({ description: "Its arguments and result." }),
            }),
          )
          .meta({ description: "Functions there are." }),
        limits: z.record(z.string(), z.number()).meta({ description: "Bounds by name." }),
        environments: z.record(z.string(), z.array(CelField)).meta({
          description: "What rules may read: `posture`, `posture.<asset type>` and `runtime`.",
        }),
      })
      .meta({ description: "What expressions may use." }),
    frameworks: z
      .array(
        z.object({
          key: z.string().meta({ description: "Key of the framework." }),
          name: z.string().meta({ description: "Name of the framework." }),
          edition: z.string().meta({ description: "Edition of the source." }),
          version: z.int().meta({ description: "Version of its data." }),
          controls: z.int().meta({ description: "How many controls it has." }),
        }),
      )
      .meta({ description: "The frameworks that come with this service; tenants may have others." }),
    limits: z.record(z.string(), z.number()).meta({ description: "Bounds by name." }),
  })
  .meta({ id: "DomainEnums" });
export type DomainEnums = z.output<typeof DomainEnums>;
