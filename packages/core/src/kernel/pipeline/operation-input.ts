import { ReeveError } from "../http/errors.js";
import type { JsonObject } from "../http/json-guard.js";
import type { RawInput } from "./input.js";

/** The input of `call`, untyped. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: JsonObject;
  readonly ifMatch?: number;
}

const MEMBERS: Record<keyof OperationInput, true> = { params: true, query: true, body: true, ifMatch: true };
const KNOWN = Object.keys(MEMBERS);

/** An input in process before validation, and the version that it names. */
export interface ReadInput {
  readonly raw: RawInput;
  readonly ifMatch: number | undefined;
}

/**
 * Reads an input in process. 400 `invalid_request` names members that no input has: a misspelt `ifMatch` would overwrite
 * without a check, and a field beside `body` would be lost.
 */
export function readInput(input: OperationInput = {}): ReadInput {
  if (typeof input !== "object" || input === null) throw new ReeveError("invalid_request", "The input is no object.");
  const unknown = Object.keys(input).filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) {
    const known = `An input has ${KNOWN.join(", ")}; fields go into body.`;
    throw new ReeveError("invalid_request", `Unknown in the input: ${unknown.join(", ")}. ${known}`);
  }
  const { params = {}, query = {}, body, ifMatch } = input;
  return { raw: { params, query, body }, ifMatch };
}
