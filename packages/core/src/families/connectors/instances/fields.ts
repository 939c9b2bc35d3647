import { ENVIRONMENTS, Label } from "#families/estate/index.js";
import { office } from "#kernel/records/authority.js";
import { durationBetween } from "#kernel/records/duration.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

export const GOVERNANCE_MODES = ["observe", "managed"] as const;

/** How often an active connection is read by itself. `null`: only when somebody asks. */
export const Schedule = z.object({
  sync: durationBetween("PT15M", "P30D")
    .nullable()
    .meta({ description: "What access can be granted to.", example: "PT6H" }),
  driftScan: durationBetween("PT15M", "P30D")
    .nullable()
    .meta({ description: "Who has access, for drift.", example: "PT6H" }),
  usage: durationBetween("PT5M", "P1D").nullable().meta({ description: "How access is used.", example: "PT15M" }),
});
export type Schedule = z.output<typeof Schedule>;

export const USUAL_SCHEDULE: Schedule = { sync: "PT6H", driftScan: "PT6H", usage: "PT15M" };

/** What a caller may set at the top level of the body. `configuration` is the connector's own. */
export const InstanceFields = z.object({
  environment: z.enum(ENVIRONMENTS).meta({ description: "What the system is used for." }),
  ownerIds: office(
    z
      .array(Label)
      .min(1)
      .max(20)
      .meta({ description: "Ids of the users who answer for it. An owner hands it over, or `connector:assign` does." }),
  ),
  governanceMode: z.enum(GOVERNANCE_MODES).meta({
    description: "`observe`: access there is read and reported, and never changed. `managed`: also changed.",
  }),
  schedule: Schedule.meta({
    description: `How often it is read by itself while it is active; \`null\`: only when somebody asks. ${USUAL_SCHEDULE.sync}, ${USUAL_SCHEDULE.driftScan} and ${USUAL_SCHEDULE.usage} if absent.`,
  }),
});

const Shown = z.object({
  set: z.boolean().meta({ description: "Whether it is there." }),
  updatedAt: Time.nullable().meta({ description: "When it last changed." }),
});

/** The secrets of an instance as they are shown: whether each is there. */
export const ShownSecrets = z
  .record(z.string(), Shown)
  .meta({ description: "Which secrets are set, by name. Their values are never shown." });
export type ShownSecrets = z.output<typeof ShownSecrets>;

/** What stands for a secret that stays as it is. */
export const KEPT = "***";

export const GivenSecrets = z
  .record(
    z.string(),
    z.union([
      z.string().max(65_536),
      z.null(),
      z.looseObject({ set: z.boolean().meta({ description: "As it was shown." }) }),
    ]),
  )
  .meta({
    description: `Secrets by name. Left out, \`${KEPT}\` or as shown: stays. \`null\`: cleared. Sealed, never shown.`,
  });
export type GivenSecrets = z.output<typeof GivenSecrets>;

/** The members of a failure of a call. */
export const FAILURE = {
  errorClass: z.string().meta({ description: "What kind of failure.", example: "auth" }),
  code: z.string().nullable().meta({ description: "One more word about it." }),
  message: z.string().meta({ description: "What went wrong, without texts of the system." }),
};

/** What only tests and calls write. */
export const ObservedFields = z.object({
  manifestVersion: z.string().meta({ description: "Version of the connector that it was set up with." }),
  configurationVersion: z.int().min(1).meta({ description: "Rises with every change of configuration or secrets." }),
  target: z
    .object({
      id: z.string().meta({ description: "As the connector names it for good." }),
      name: z.string().meta({ description: "The name that people are shown." }),
      seenAt: Time.meta({ description: "When it answered." }),
    })
    .nullable()
    .meta({ description: "Which system answered the last test that passed." }),
  lastTest: z
    .object({
      outcome: z.enum(["passed", "skipped"]).meta({ description: "Whether it was made." }),
      configurationVersion: z.int().meta({ description: "The configuration that it was about." }),
      at: Time.meta({ description: "The time when it happened." }),
    })
    .nullable()
    .meta({ description: "The test that its last activation or change rests on." }),
  healthSince: Time.meta({ description: "Since when its health is what it is." }),
  healthReason: z.object(FAILURE).nullable().meta({ description: "The failure that its health comes from." }),
  lastCheckAt: Time.nullable().meta({ description: "When it was last tested." }),
  lastImportAt: Time.nullable().meta({ description: "When an import from it was last begun." }),
});

export const Maintenance = z.object({
  until: Time.nullable().meta({ description: "When it ends by itself; `null` for when somebody ends it." }),
  reason: z.string().nullable().meta({ description: "The reason in words." }),
});

export const InstanceConfiguration = AnyObject.meta({
  description: "As the connector's `configurationSchema` says, without secrets.",
});
