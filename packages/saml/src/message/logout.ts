import {
  SamlError,
  type SamlExpectation,
  type SamlLogoutRequest,
  type SamlLogoutResponse,
  type SamlMessage,
} from "@reeve/core";
import { NS, STATUS } from "../xml/names.js";
import { allOf, attributeOf, oneOf, requireChildren, textOf } from "../xml/read.js";
import { receive, requireBefore, type Verified } from "./receive.js";

const REQUEST = [
  [NS.assertion, "Issuer"],
  [NS.signature, "Signature"],
  [NS.protocol, "Extensions"],
  [NS.assertion, "NameID"],
  [NS.protocol, "SessionIndex"],
] as const;
const RESPONSE = [
  [NS.assertion, "Issuer"],
  [NS.signature, "Signature"],
  [NS.protocol, "Extensions"],
  [NS.protocol, "Status"],
] as const;
const SESSIONS = 50;

/** Reads and verifies a request or response of a logout. */
export function readLogout(message: SamlMessage, expected: SamlExpectation): SamlLogoutRequest | SamlLogoutResponse {
  const verified = receive(message, expected, true);
  if (verified.kind === "AuthnRequest") throw new SamlError("document_unexpected");
  return verified.kind === "LogoutRequest" ? request(verified, expected.now) : response(verified);
}

function request({ root, id, relayState, signed }: Verified, now: number): SamlLogoutRequest {
  requireChildren(root, REQUEST);
  requireBefore(attributeOf(root, "NotOnOrAfter"), now);
  const nameId = oneOf(root, NS.assertion, "NameID");
  if (!nameId) throw new SamlError("document_unexpected", "It names nobody.");
  const sessionIndexes = allOf(root, NS.protocol, "SessionIndex").map(textOf);
  if (sessionIndexes.length > SESSIONS) throw new SamlError("document_too_large");
  return { kind: "LogoutRequest", id, relayState, signed, nameId: textOf(nameId), sessionIndexes };
}

export function response({ root, id, relayState, signed }: Omit<Verified, "kind">): SamlLogoutResponse {
  requireChildren(root, RESPONSE);
  const status = oneOf(root, NS.protocol, "Status");
  const code = status && oneOf(status, NS.protocol, "StatusCode");
  const inResponseTo = attributeOf(root, "InResponseTo");
  if (!code || inResponseTo === undefined) throw new SamlError("document_unexpected", "It answers nothing.");
  const success = attributeOf(code, "Value") === `${STATUS}Success`;
  return { kind: "LogoutResponse", id, relayState, signed, inResponseTo, success };
}
