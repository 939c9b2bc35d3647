import { isStorable } from "../../store/storable.js";
import { ReeveError } from "../http/errors.js";

const REFUSED = "The input holds a NUL character or half of a surrogate pair, or contains itself.";
/** Far more than any input has, so that one that contains itself ends. */
const LEVELS = 1_000;

/** 400 `invalid_encoding` for an input in process that not every store can keep. Over HTTP the text of a body is checked. */
export function requireStorable(input: unknown): void {
  if (!isStorable(input, Number.POSITIVE_INFINITY, LEVELS)) throw new ReeveError("invalid_encoding", REFUSED);
}
