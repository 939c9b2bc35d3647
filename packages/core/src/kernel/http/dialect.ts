import type { ReeveError } from "./errors.js";
import type { NeutralRequest } from "./http.js";

/** A refusal that a person reads. */
export interface RefusalPage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * How the endpoints of another protocol differ: they take forms and their own credentials, and refuse in its format.
 */
export interface Dialect {
  /** A refusal in the format of the protocol. */
  refusal(error: ReeveError): ReeveError;
  /** Whether refusals are sent as `application/json` instead of problem documents. */
  wantsPlainJson(request: NeutralRequest): boolean;
  /** The refusal as a page, for a browser; `undefined` where the caller takes JSON. */
  page?(error: ReeveError, request: NeutralRequest): RefusalPage | undefined;
}
