import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";

/** What whoever enforces a decision has to do, by the types of AuthZEN's obligations profile. */
export const OBLIGATION_TYPES = ["step-up", "notification", "session_termination", "custom"] as const;
export type ObligationType = (typeof OBLIGATION_TYPES)[number];

const text = (most: number, description: string) => z.string().min(1).max(most).meta({ description });

/** An obligation as a rule names it. Its texts quote what the rule sees, as its message does. */
export const RuleObligation = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("step-up").meta({ description: "The subject proves who it is once more." }),
    properties: z
      .strictObject({
        acr_value: text(200, "The class of authentication that it reaches."),
        amr_values: z
          .array(z.string().min(1).max(100))
          .min(1)
          .max(20)
          .optional()
          .meta({ description: "The methods that it uses." }),
      })
      .meta({ description: "How it proves that." }),
  }),
  z.strictObject({
    type: z.literal("notification").meta({ description: "Somebody is told." }),
    properties: z
      .strictObject({
        to: text(500, "Who is told, as the enforcing program knows them."),
        body: text(1_000, "The message to them."),
        topic: text(200, "A short subject of it.").optional(),
      })
      .meta({ description: "Who is told what." }),
  }),
  z.strictObject({
    type: z.literal("session_termination").meta({ description: "All sessions of somebody end." }),
    properties: z
      .strictObject({ subject: text(500, "Whose sessions end, as in `{subject.id}`.") })
      .meta({ description: "Whose sessions end." }),
  }),
  z.strictObject({
    type: z.literal("custom").meta({ description: "Something that both sides have agreed on." }),
    properties: AnyObject.meta({ description: "What they have agreed on." }),
  }),
]);
export type RuleObligation = z.output<typeof RuleObligation>;

/** The obligation with each of its texts changed. Names stay as they are. */
export function withTexts(
  { type, properties }: RuleObligation,
  change: (text: string) => string,
): { readonly type: ObligationType; readonly properties: Record<string, unknown> } {
  return { type, properties: mapped(properties, change) as Record<string, unknown> };
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, change)]));
}

/** All texts of an obligation. */
export function textsOf(obligation: RuleObligation): string[] {
  const found: string[] = [];
  withTexts(obligation, (text) => {
    found.push(text);
    return text;
  });
  return found;
}
