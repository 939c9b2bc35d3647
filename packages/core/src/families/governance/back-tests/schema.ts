import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { DECISIONS } from "../decisions/schema.js";

const Count = z.int().min(0);
const Results = {
  pass: Count.meta({ description: "No rule fails." }),
  fail: Count.meta({ description: "A rule fails." }),
  skip: Count.meta({ description: "The policy is not about it, or no rule applies." }),
  error: Count.meta({ description: "A rule has no result." }),
  unknown: Count.meta({ description: "What it was is not known any more: its events were erased." }),
};

const OverAssets = z.object({
  assets: z
    .object({
      looked: Count.meta({ description: "Assets looked at." }),
      total: Count.meta({ description: "Assets there are." }),
    })
    .meta({ description: "How many assets were looked at of those there are." }),
  moments: z
    .array(
      z.object({
        at: Time.meta({ description: "The time that the rules are tested at." }),
        assets: Count.meta({ description: "That were there and not retired." }),
        ...Results,
      }),
    )
    .meta({ description: "Each midnight (UTC) and now, the oldest first: assets by the worst that any rule says." }),
  failing: z
    .array(
      z.object({
        assetId: z.string().meta({ description: "Id of the asset." }),
        assetName: z.string().meta({ description: "Name of the asset." }),
        ruleKeys: z.array(z.string()).meta({ description: "Keys of the rules." }),
        moments: Count.meta({ description: "At how many of the moments it failed." }),
        firstAt: Time.meta({ description: "The first moment." }),
        lastAt: Time.meta({ description: "The last moment." }),
        now: z.boolean().meta({ description: "Whether it fails now." }),
      }),
    )
    .meta({ description: "The hundred that failed most often." }),
  failingTotal: Count.meta({ description: "Assets that failed at any moment." }),
});
export type OverAssets = z.output<typeof OverAssets>;

const SaysCounts = z.object({
  deny: Count.meta({ description: "Decisions that it denies." }),
  require_approval: Count.meta({ description: "Decisions for which it wants approval." }),
  warn: Count.meta({ description: "Decisions that it warns of." }),
  allow: Count.meta({ description: "Decisions that it allows." }),
  none: Count.meta({ description: "Decisions that it does not touch." }),
  error: Count.meta({ description: "Decisions on which it fails." }),
  unknown: Count.meta({ description: "Decisions that cannot be told." }),
});
export type Says = keyof z.output<typeof SaysCounts>;
export const SAYS = Object.keys(SaysCounts.shape) as [Says, ...Says[]];

const OverRequests = z.object({
  decisions: Count.meta({ description: "How many were looked at." }),
  says: SaysCounts.meta({
    description: "Decisions by what the policy says of them. `unknown`: a rule reads what was not logged.",
  }),
  stricter: Count.meta({ description: "That would have been denied, or wanted approval, and were not." }),
  looser: Count.meta({
    description: "That only this policy held back and it no longer does, or the default did and it allows.",
  }),
  same: Count.meta({ description: "Decisions that stay the same." }),
  unknown: Count.meta({ description: "Decisions that cannot be told." }),
  examples: z
    .array(
      z.object({
        id: z.string().meta({ description: "Of the decision; events about it name it." }),
        at: Time.meta({ description: "When it was decided." }),
        subject: z
          .object({
            type: z.string().meta({ description: "What kind of subject." }),
            id: z.string().meta({ description: "Id of the subject." }),
          })
          .meta({ description: "The person or agent who asked." }),
        action: z
          .object({ name: z.string().meta({ description: "Name of the action." }) })
          .meta({ description: "The action that is asked for." }),
        resource: z
          .object({
            type: z.string().meta({ description: "What kind of resource." }),
            id: z.string().meta({ description: "Id of the resource." }),
          })
          .meta({ description: "The object that the action is about." }),
        was: z.enum(DECISIONS).meta({ description: "What was decided." }),
        says: z.enum(SAYS).meta({ description: "What the policy says." }),
        ruleKeys: z.array(z.string()).meta({ description: "Keys of the rules." }),
      }),
    )
    .meta({ description: "The newest hundred that would have come out stricter or looser." }),
});
export type OverRequests = z.output<typeof OverRequests>;

/** The result of a back-test. */
export const BackTest = z
  .object({
    policyId: z.string().meta({ description: "Id of the policy." }),
    digest: z.string().meta({ description: "Of the rules, parameters and selector that were tried." }),
    engine: z.string().meta({ description: "What computed the rules." }),
    from: Time.meta({ description: "How far back it was looked; later than asked for where `complete` is false." }),
    to: Time.meta({ description: "The end of the time." }),
    complete: z
      .boolean()
      .meta({ description: "Whether all was looked at: false where events are gone, or there was too much." }),
    asOfNow: z.array(z.string()).meta({
      description: "Fields that the rules read and of which no history is kept: their values are those of now.",
    }),
    overAssets: OverAssets.nullable().meta({ description: "Of a governance policy." }),
    overRequests: OverRequests.nullable().meta({ description: "Of a runtime policy." }),
  })
  .meta({ id: "PolicyBackTest" });
export type BackTest = z.output<typeof BackTest>;
