import { isStorable } from "../../store/storable.js";
import { ReeveError } from "../http/errors.js";

const REFUSED =
  "The input holds a NUL character, half of a surrogate pair, more than 32 levels, or more values than are kept.";

/** 400 `invalid_encoding` for an input in process that not every store can keep. Over HTTP the text of a body is checked. */
export function requireStorable(input: unknown): void {
  if (!isStorable(input)) throw new ReeveError("invalid_encoding", REFUSED);
}
