import { SamlError } from "@reeve/core";
import { decoded } from "../xml/guard.js";
import { base64Bytes, type Opened } from "./opened.js";
import { checkRelayState } from "./relay-state.js";

/** Opens a message of the POST binding, whose signature is in the document. Fields of others, such as a button, say nothing. */
export function openPost(fields: Readonly<Record<string, string>>): Opened {
  const [name, ...others] = ["SAMLRequest", "SAMLResponse"].filter((candidate) => Object.hasOwn(fields, candidate));
  if (!name || others.length > 0) throw new SamlError("parameter_invalid", "It has not one message.");
  const { RelayState: state } = fields;
  return {
    isRequest: name === "SAMLRequest",
    xml: decoded(base64Bytes(fields[name] as string)),
    relayState: state === undefined ? null : checkRelayState(state),
    detached: null,
  };
}
