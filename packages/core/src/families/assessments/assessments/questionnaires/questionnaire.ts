import { z } from "#schema/z.js";

/** The questionnaires that come with Reeve. */
export const QUESTIONNAIRES = ["impact", "risk"] as const;
export type QuestionnaireKey = (typeof QUESTIONNAIRES)[number];

export const RATINGS = ["low", "medium", "high", "unacceptable"] as const;

const Question = z.object({
  key: z.string().meta({ description: "Names the question among `answers`." }),
  text: z.string().meta({ description: "What is asked." }),
  rated: z.boolean().meta({ description: "Whether its answer takes a `rating`." }),
  controls: z.array(z.string()).meta({ description: "Controls that ask for it, as `framework:control`." }),
});
export type Question = z.output<typeof Question>;

/** The questions of a kind of assessment. */
export const Questionnaire = z
  .object({
    key: z.enum(QUESTIONNAIRES).meta({ description: "The key that names it." }),
    version: z.int().min(1).meta({ description: "Grows with each change of its questions." }),
    name: z.string().meta({ description: "What it is called." }),
    questions: z.array(Question).meta({ description: "All of them want an answer." }),
  })
  .meta({ id: "Questionnaire" });
export type Questionnaire = z.output<typeof Questionnaire>;

const asked =
  (rated: boolean) =>
  (key: string, text: string, ...controls: string[]): Question => ({ key, text, rated, controls });

/** A question that is answered in words. */
export const open = asked(false);
/** A question that is answered in words and with a rating. */
export const rated = asked(true);
