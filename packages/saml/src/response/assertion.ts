import type { SamlAttribute, SamlSignOn } from "@reeve/core";
import { CONTEXT_URIS, FORMAT_URIS, NS } from "../xml/names.js";
import { element, escaped, instant } from "../xml/write.js";

/** How long the application may take to accept an assertion, in milliseconds, beside what clocks may differ. */
const LIFE = 5 * 60_000;
const SKEW = 60_000;
const NAME_FORMAT = "urn:oasis:names:tc:SAML:2.0:attrname-format:";
const XSI = "http://www.w3.org/2001/XMLSchema-instance";
const XS = "http://www.w3.org/2001/XMLSchema";

/** An unsigned assertion, a document of its own. */
export function assertion(signOn: SamlSignOn): string {
  const { issuer, entityId, acsUrl, inResponseTo, nameId, nameIdFormat, now, ids } = signOn;
  const ends = instant(now + LIFE);
  const confirmation = element(
    "saml:SubjectConfirmation",
    { Method: "urn:oasis:names:tc:SAML:2.0:cm:bearer" },
    element("saml:SubjectConfirmationData", { InResponseTo: inResponseTo, NotOnOrAfter: ends, Recipient: acsUrl }),
  );
  const name = element("saml:NameID", { Format: FORMAT_URIS[nameIdFormat] }, escaped(nameId));
  const audience = element("saml:AudienceRestriction", {}, element("saml:Audience", {}, escaped(entityId)));
  return element(
    "saml:Assertion",
    { "xmlns:saml": NS.assertion, ID: ids.assertion, IssueInstant: instant(now), Version: "2.0" },
    element("saml:Issuer", {}, escaped(issuer.entityId)),
    element("saml:Subject", {}, name, confirmation),
    element("saml:Conditions", { NotBefore: instant(now - SKEW), NotOnOrAfter: ends }, audience),
    authentication(signOn),
    signOn.attributes.length > 0 && element("saml:AttributeStatement", {}, ...signOn.attributes.map(attribute)),
  );
}

function authentication({ authenticatedAt, authenticatedBy, sessionIndex, sessionEndsAt }: SamlSignOn): string {
  const context = element(
    "saml:AuthnContext",
    {},
    element("saml:AuthnContextClassRef", {}, CONTEXT_URIS[authenticatedBy]),
  );
  const times = { AuthnInstant: instant(authenticatedAt), SessionNotOnOrAfter: instant(sessionEndsAt) };
  return element("saml:AuthnStatement", { ...times, SessionIndex: sessionIndex }, context);
}

function attribute({ name, friendlyName, nameFormat, values }: SamlAttribute): string {
  const type = { "xmlns:xs": XS, "xmlns:xsi": XSI, "xsi:type": "xs:string" };
  return element(
    "saml:Attribute",
    { FriendlyName: friendlyName, Name: name, NameFormat: NAME_FORMAT + nameFormat },
    ...values.map((value) => element("saml:AttributeValue", type, escaped(value))),
  );
}
