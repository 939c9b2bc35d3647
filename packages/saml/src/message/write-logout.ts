import type { SamlEngine, SamlLogoutDraft, SamlLogoutSubject, SamlOutgoing } from "@reeve/core";
import { redirectUrl } from "../binding/redirect.js";
import { signedDocument } from "../signature/sign.js";
import { FORMAT_URIS, NS, STATUS } from "../xml/names.js";
import { element, escaped, instant } from "../xml/write.js";
import { MESSAGE_LIFE } from "./receive.js";

type Draft = Omit<SamlLogoutDraft, "binding" | "relayState">;

const envelope = ({ id, now, destination }: Draft) => ({
  "xmlns:samlp": NS.protocol,
  "xmlns:saml": NS.assertion,
  Destination: destination,
  ID: id,
  IssueInstant: instant(now),
  Version: "2.0",
});

function outgoing(draft: SamlLogoutDraft, field: "SAMLRequest" | "SAMLResponse", xml: string): SamlOutgoing {
  const { binding, destination, relayState, signer } = draft;
  if (binding === "redirect")
    return { binding, url: redirectUrl(destination, field, { xml, relayState, privateKey: signer.privateKey }) };
  const value = Buffer.from(signedDocument(xml, signer)).toString("base64");
  const fields: Record<string, string> = { [field]: value };
  if (relayState !== null) fields.RelayState = relayState;
  return { binding, action: destination, fields };
}

function requestXml(draft: Draft, { nameId, nameIdFormat, sessionIndex }: SamlLogoutSubject): string {
  return element(
    "samlp:LogoutRequest",
    { ...envelope(draft), NotOnOrAfter: instant(draft.now + MESSAGE_LIFE) },
    element("saml:Issuer", {}, escaped(draft.issuer.entityId)),
    // To the letter as in the assertion: service providers compare every attribute.
    element("saml:NameID", { Format: FORMAT_URIS[nameIdFormat] }, escaped(nameId)),
    element("samlp:SessionIndex", {}, escaped(sessionIndex)),
  );
}

export function logoutRequest(draft: SamlLogoutDraft, subject: SamlLogoutSubject): SamlOutgoing {
  return outgoing(draft, "SAMLRequest", requestXml(draft, subject));
}

/** The request in an envelope, for one server to send another. */
export function soapLogout(draft: Draft, subject: SamlLogoutSubject): string {
  const signed = signedDocument(requestXml(draft, subject), draft.signer);
  return element("soap:Envelope", { "xmlns:soap": NS.soap }, element("soap:Body", {}, signed));
}

export function logoutResponse(
  draft: SamlLogoutDraft,
  { inResponseTo, status }: Parameters<SamlEngine["writeLogoutResponse"]>[1],
): SamlOutgoing {
  const second = status === "PartialLogout" && element("samlp:StatusCode", { Value: `${STATUS}PartialLogout` });
  const top = status === "Requester" ? "Requester" : "Success";
  const xml = element(
    "samlp:LogoutResponse",
    { ...envelope(draft), InResponseTo: inResponseTo },
    element("saml:Issuer", {}, escaped(draft.issuer.entityId)),
    element("samlp:Status", {}, element("samlp:StatusCode", { Value: STATUS + top }, second)),
  );
  return outgoing(draft, "SAMLResponse", xml);
}
