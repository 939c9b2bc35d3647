import { SamlError } from "@reeve/core";

const BYTES = 2_048;

/** The state that an application wants back. It is handed on as it is, so it is bounded and has no control characters. */
export function checkRelayState(state: string): string {
  if (Buffer.byteLength(state) > BYTES || /\p{Cc}/u.test(state)) throw new SamlError("relay_state_invalid");
  return state;
}
