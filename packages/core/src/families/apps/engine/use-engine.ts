import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { type SamlEngine, SamlError } from "#ports/saml.js";

/** The engine of SAML. 501 without one. */
export function engineOf({ saml }: Pick<Environment, "saml">): SamlEngine {
  if (!saml) throw new ReeveError("not_configured", "The option `saml` is not set.");
  return saml;
}

/** Runs work of the engine. Its refusals become 400 `saml_invalid` with the member `refusal`. */
export async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw SamlError.is(error) ? samlInvalid(error) : error;
  }
}

export function samlInvalid({ refusal, message }: SamlError): ReeveError {
  return new ReeveError("saml_invalid", message, { members: { refusal } });
}
