import type { SamlRefusal } from "@reeve/core";
import { SSO as SOUND, TENANT } from "./bench.js";
import type { Hostile } from "./hostile-redirect.js";
import { at, type Change, type Kind, signedMessage } from "./messages.js";

const POLICY = (format: string) => `<samlp:NameIDPolicy Format="${format}"/>`;
const NAME = "<saml:NameID>ada@acme.example</saml:NameID>";
const STATUS = '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>';
const MINUTE = 60_000;

const to = (Destination: string | null): Change => ({ attributes: { Destination } });
const issued = (IssueInstant: string | null): Change => ({ attributes: { IssueInstant } });

/** Well signed messages that say what no message may say. */
const FIELDS: readonly (readonly [name: string, kind: Kind, change: Change, refusal: SamlRefusal])[] = [
  ...[
    null,
    "",
    SOUND.replace(TENANT, "tnt_00000000000000000000000200"),
    SOUND.replace("https", "http"),
    SOUND.replace(".example/", ".example:8443/"),
    SOUND.replace("/saml", "/SAML"),
    SOUND.replace("https://", "https://x@"),
    SOUND.replace("/sso", "/sso/"),
    SOUND.replace("/sso", "/slo"),
    `${SOUND}&x=1`,
    `${SOUND}#x`,
    ` ${SOUND} x`,
    SOUND.replace("reeve.example", "reeve.example.evil.example"),
  ].map((text) => [`the destination ${text}`, "AuthnRequest", to(text), "destination_mismatch"] as const),
  ...["https://other.example/metadata", "https://sp.example/metadata/", "HTTPS://SP.EXAMPLE/METADATA", ""].map(
    (issuer) => [`the issuer "${issuer}"`, "AuthnRequest", { issuer }, "issuer_mismatch"] as const,
  ),
  ...["1.1", "2", "2.0 ", null].map(
    (Version) =>
      [`the version "${Version}"`, "AuthnRequest", { attributes: { Version } }, "version_unsupported"] as const,
  ),
  ...[null, "", "now", "2027-03-01", "2027-03-01 10:00:00Z", "2027-03-01T10:00:00+09:00", "2027-13-01T10:00:00Z"].map(
    (text) => [`the time "${text}"`, "AuthnRequest", issued(text), "not_in_time"] as const,
  ),
  ["six minutes ago", "AuthnRequest", issued(at(-6 * MINUTE)), "not_in_time"],
  ["a minute and a millisecond ahead", "AuthnRequest", issued(at(MINUTE + 1)), "not_in_time"],
  ["a year ago", "LogoutRequest", issued(at(-365 * 86_400_000)), "not_in_time"],
  ["an end that has passed", "LogoutRequest", { attributes: { NotOnOrAfter: at(-MINUTE) } }, "not_in_time"],
  ["an end that is no time", "LogoutRequest", { attributes: { NotOnOrAfter: "later" } }, "not_in_time"],
  ...["", "a'b", "a b", "<", `_${"x".repeat(255)}`, "_x/../y"].map(
    (ID) =>
      [
        `the id "${ID.slice(0, 9)}"`,
        "AuthnRequest",
        { attributes: { ID: ID.replace("<", "&lt;") } },
        ID === "" ? "signature_invalid" : "document_unexpected",
      ] as const,
  ),
  [
    "a subject by an encrypted id",
    "AuthnRequest",
    { content: "<saml:Subject><saml:EncryptedID/></saml:Subject>" },
    "document_unexpected",
  ],
  [
    "a subject with two names",
    "AuthnRequest",
    { content: `<saml:Subject>${NAME}${NAME}</saml:Subject>` },
    "document_unexpected",
  ],
  [
    "a subject with a long name",
    "AuthnRequest",
    { content: `<saml:Subject>${NAME.replace("ada", "a".repeat(1_100))}</saml:Subject>` },
    "document_too_large",
  ],
  ["an assertion", "AuthnRequest", { content: '<saml:Assertion ID="_a"/>' }, "document_unexpected"],
  [
    "an address by an index that is none",
    "AuthnRequest",
    { attributes: { AssertionConsumerServiceIndex: "-1" } },
    "document_unexpected",
  ],
  [
    "a name of an unknown kind",
    "AuthnRequest",
    { content: POLICY("urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos") },
    "name_id_unsupported",
  ],
  [
    "an encrypted name",
    "AuthnRequest",
    { content: POLICY("urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted") },
    "name_id_unsupported",
  ],
  [
    "a name of a system",
    "AuthnRequest",
    { content: POLICY("urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName") },
    "name_id_unsupported",
  ],
  ["two policies", "AuthnRequest", { content: POLICY("x") + POLICY("y") }, "document_unexpected"],
  ["a boolean that is none", "AuthnRequest", { attributes: { ForceAuthn: "yes" } }, "document_unexpected"],
  ["another boolean that is none", "AuthnRequest", { attributes: { IsPassive: "" } }, "document_unexpected"],
  ["text between elements", "AuthnRequest", { more: "hello" }, "document_unexpected"],
  ["an element in a name", "LogoutRequest", { content: NAME.replace("@", "<saml:NameID/>@") }, "document_unexpected"],
  [
    "an element in the issuer",
    "LogoutRequest",
    { issuer: "https://sp.example/metadata<saml:NameID/>" },
    "document_unexpected",
  ],
  ["nobody", "LogoutRequest", { content: "" }, "document_unexpected"],
  ["two names", "LogoutRequest", { content: NAME + NAME }, "document_unexpected"],
  ["an encrypted id", "LogoutRequest", { content: "<saml:EncryptedID/>" }, "document_unexpected"],
  ["an assertion in a logout", "LogoutRequest", { more: '<saml:Assertion ID="_a"/>' }, "document_unexpected"],
  [
    "51 sessions",
    "LogoutRequest",
    { more: "<samlp:SessionIndex>_s</samlp:SessionIndex>".repeat(50) },
    "document_too_large",
  ],
  ["no status", "LogoutResponse", { content: "" }, "document_unexpected"],
  [
    "two statuses",
    "LogoutResponse",
    { content: `<samlp:Status>${STATUS}</samlp:Status>`.repeat(2) },
    "document_unexpected",
  ],
  ["a status without a code", "LogoutResponse", { content: "<samlp:Status/>" }, "document_unexpected"],
  ["an answer to nothing", "LogoutResponse", { attributes: { InResponseTo: null } }, "document_unexpected"],
];

export async function hostileFields(): Promise<Hostile[]> {
  const cases: Hostile[] = [];
  for (const [index, [name, kind, change, refusal]] of FIELDS.entries()) {
    const binding = index % 2 === 0 ? "redirect" : "post";
    // A posted message without an id has nothing that its signature could refer to.
    const isUnsigned = refusal === "signature_invalid";
    const how = isUnsigned ? "post" : binding;
    cases.push([`${kind}: ${name}`, kind, await signedMessage(kind, how, change), refusal]);
  }
  return cases;
}
