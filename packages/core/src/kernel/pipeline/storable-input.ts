import { foreignPath, isStorable } from "#store/storable.js";
import { invalidProperty, ReeveError } from "../http/errors.js";
import { jsonPointer } from "../http/json-pointer.js";
import type { RawInput } from "./input.js";

const REFUSED = "The input holds a NUL character or half of a surrogate pair, or contains itself.";
/** Far more than any input has, so that one that contains itself ends. */
const LEVELS = 1_000;

/**
 * Refuses an input in process that not every store can keep. Over HTTP the text of a body is checked. 400
 * `invalid_encoding` for its texts, and 400 `invalid_request` for a value of the body that JSON cannot express.
 */
export function requireStorable(input: Partial<RawInput> | { readonly body: unknown }): void {
  if (!isStorable(input, Number.POSITIVE_INFINITY, LEVELS)) throw new ReeveError("invalid_encoding", REFUSED);
  const path = foreignPath(input.body);
  if (path) throw invalidProperty(jsonPointer(path), "JSON cannot express this value.");
}
