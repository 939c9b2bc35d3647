import type { ReeveError } from "./errors.js";
import type { NeutralRequest } from "./http.js";

/** How endpoints of another protocol differ: they take forms and credentials of their own, and refuse in its words. */
export interface Dialect {
  /** A refusal as the protocol words it. */
  refusal(error: ReeveError): ReeveError;
  /** Whether the caller wants refusals as `application/json`, and not as problem documents. */
  wantsPlainJson(request: NeutralRequest): boolean;
}
