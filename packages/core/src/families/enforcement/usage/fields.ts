import { z } from "#schema/z.js";

/** What usage is grouped by. */
export const GROUPS = ["agent", "model", "tool", "server", "team", "installation", "day"] as const;
export type Group = (typeof GROUPS)[number];

const Count = z.int().min(0);
const Sum = z.object({
  sum: z.number().nullable().meta({ description: "Over the calls that said it; `null`: of no call it is known." }),
  unknownCalls: Count.meta({ description: "Calls that did not say it. They are not in the sum." }),
});

const sums = {
  modelCalls: Count.meta({ description: "Calls of models." }),
  toolCalls: Count.meta({ description: "Calls of tools." }),
  runsWithoutCalls: Count.meta({
    description:
      "Whole runs of agents of whose calls nothing was sent. Their tokens are sums of others, and not counted.",
  }),
  failed: Count.meta({ description: "Calls that failed, of models and tools." }),
  refused: Count.meta({ description: "Calls of tools that a person or a rule of the client refused." }),
  tokens: z
    .object({
      input: Sum.meta({ description: "All that was read, from a cache too." }),
      output: Sum.meta({ description: "All that was written, reasoning too." }),
      cached: Sum.meta({ description: "The part of the input that came from a cache." }),
      cacheWritten: Sum.meta({ description: "The part of the input that went into a cache." }),
      reasoning: Sum.meta({ description: "The part of the output that nobody is shown." }),
    })
    .meta({ description: "Tokens of calls of models." }),
  costUsd: Sum.meta({ description: "What the client says that the calls cost." }),
  milliseconds: z
    .object({
      mean: z.number().nullable().meta({ description: "The mean; `null`: of no call it is known." }),
      longest: z.number().nullable().meta({ description: "The longest of them." }),
      unknownCalls: Count.meta({ description: "Calls that did not say it." }),
    })
    .meta({ description: "How long calls took, of models and tools." }),
};

export const Usage = z
  .object({
    from: z.iso.date().meta({ description: "The first day, in UTC." }),
    to: z.iso.date().meta({ description: "The last day." }),
    groupBy: z.enum(GROUPS).meta({ description: "What the groups are." }),
    totals: z.object(sums).meta({ description: "All groups together." }),
    groups: Count.meta({ description: "How many groups there are, of which the largest 500 are listed." }),
    items: z
      .array(
        z.object({
          key: z.string().nullable().meta({
            description: "An id, a name or a day; `null`: the calls did not say it, or have none.",
          }),
          provider: z.string().nullable().meta({ description: "The provider of a model, as calls name it." }),
          server: z.string().nullable().meta({ description: "The server of a tool." }),
          ...sums,
        }),
      )
      .meta({ description: "The groups with most calls first, days in their order." }),
  })
  .meta({ id: "AiUsage" });
export type Usage = z.output<typeof Usage>;
export type UsageSums = Usage["totals"];
