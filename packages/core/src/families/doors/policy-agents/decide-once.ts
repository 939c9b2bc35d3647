import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { evaluateOne, type PreparedAsks, prepareOne } from "../authzen/evaluate-one.js";

/** A question that can be decided, or why it cannot. */
export type Question = PreparedAsks | { readonly fault: string };

interface Result {
  readonly allow: boolean;
  readonly reasons: string[];
  readonly id?: string;
}

/** Judges a question. What is none is no error here: whoever asks must get a denial. */
export async function askedBy(ctx: ReadContext, question: Readonly<Record<string, unknown>>): Promise<Question> {
  const { subject, action, resource, context } = question;
  try {
    return await prepareOne(ctx, { subject, action, resource, ...(context === undefined ? {} : { context }) });
  } catch (error) {
    if (!ReeveError.is(error) || error.status !== 400) throw error;
    return { fault: error.errors.map(({ pointer, message }) => `${pointer}: ${message}`).join(" ") || error.message };
  }
}

/** The decision in words. A question that cannot be decided is denied. */
export async function decidedOnce(ctx: Context, question: Question): Promise<Result> {
  if ("fault" in question) return { allow: false, reasons: [question.fault] };
  const { decision, context } = await evaluateOne(ctx, question);
  return { allow: decision, reasons: context.reasons.map(({ message }) => message), id: context.id };
}
