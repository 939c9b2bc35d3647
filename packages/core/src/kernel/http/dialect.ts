import type { ReeveError } from "./errors.js";
import type { NeutralRequest } from "./http.js";

/**
 * How the endpoints of another protocol differ: they take forms and their own credentials, and refuse in its format.
 */
export interface Dialect {
  /** A refusal in the format of the protocol. */
  refusal(error: ReeveError): ReeveError;
  /** Whether refusals are sent as `application/json` instead of problem documents. */
  wantsPlainJson(request: NeutralRequest): boolean;
}
