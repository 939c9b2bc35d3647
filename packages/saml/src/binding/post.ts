import { SamlError } from "@reeve/core";
import { decoded } from "../xml/guard.js";
import { base64Bytes, type Opened } from "./opened.js";
import { checkRelayState } from "./relay-state.js";

const OWN = ["SAMLRequest", "SAMLResponse", "RelayState"];

/** Opens a message of the POST binding, whose signature is in the document. */
export function openPost(fields: Readonly<Record<string, string>>): Opened {
  const names = Object.keys(fields);
  if (names.some((name) => !OWN.includes(name))) throw new SamlError("parameter_invalid", "It has an unknown field.");
  const [name, ...others] = ["SAMLRequest", "SAMLResponse"].filter((candidate) => candidate in fields);
  if (!name || others.length > 0) throw new SamlError("parameter_invalid", "It has not one message.");
  const { RelayState: state } = fields;
  return {
    isRequest: name === "SAMLRequest",
    xml: decoded(base64Bytes(fields[name] as string)),
    relayState: state === undefined ? null : checkRelayState(state),
    detached: null,
  };
}
