/** Sends a request with the credential. Rejects unless the answer is a success with a JSON object. */
export type Send = (method: "GET" | "POST", path: string, body?: unknown, signal?: AbortSignal) => Promise<Json>;
export type Json = Readonly<Record<string, unknown>>;

/** An answer of Reeve that is no success. Its text is not kept. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";

  constructor(readonly status: number) {
    super(`Reeve answered ${status}.`);
  }
}
