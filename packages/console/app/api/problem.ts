import { t } from "../texts/index.js";
import { ProblemError } from "./client.js";

/** A refusal or failure in words. */
export interface Words {
  readonly title: string;
  readonly detail?: string | undefined;
  readonly remedy?: string | undefined;
  /** Faults that belong to no field of the form, and unmet conditions. */
  readonly points: readonly string[];
  readonly requestId?: string | undefined;
  readonly retryable: boolean;
}

/** What went wrong, in words for people. */
export function wordsOf(error: unknown): Words {
  if (!ProblemError.is(error)) {
    if (error instanceof TypeError) return { ...t.problem.unreachable, points: [], retryable: true };
    return { title: t.problem.unexpected, detail: String(error), points: [], retryable: false };
  }
  const { problem, requestId, retryable, errors, guards } = error;
  return {
    title: problem.title ?? t.problem.status(error.status),
    detail: problem.detail,
    remedy: problem.remedy,
    points: [
      ...errors.map(({ message, pointer, parameter }) => `${pointer ?? parameter ?? ""} ${message}`.trim()),
      ...guards.filter(({ ok }) => !ok).map(({ key, detail }) => detail ?? key),
    ],
    requestId,
    retryable,
  };
}

/** The message for a field of a form, by its JSON Pointer in the body. */
export function fieldFault(error: unknown, pointer: string): string | undefined {
  if (!ProblemError.is(error)) return undefined;
  return error.errors.find((fault) => fault.pointer === pointer)?.message;
}

/** Whether somebody else was quicker: the record is not as it was on the screen. */
export function isOvertaken(error: unknown): boolean {
  return ProblemError.is(error) && (error.status === 412 || (error.status === 409 && OVERTAKEN.has(error.code ?? "")));
}

const OVERTAKEN: ReadonlySet<string> = new Set(["concurrent_modification", "invalid_transition", "scope_changed"]);
