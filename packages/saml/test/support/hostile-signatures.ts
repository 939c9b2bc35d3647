import type { SamlRefusal } from "@reeve/core";
import { signedDocument } from "../../src/signature/sign.js";
import { testKeys } from "./bench.js";
import type { Hostile } from "./hostile-redirect.js";
import { KINDS, type Kind, posted, xmlOf } from "./messages.js";

const SIGNATURE = /<ds:Signature .*<\/ds:Signature>/s;
const ISSUER = "</saml:Issuer>";
const EXTENSIONS = ["<samlp:Extensions>", "</samlp:Extensions>"] as const;

/** The eight places to which a signed message is moved so that another one seems to be signed. */
const WRAPPINGS: readonly ((parts: {
  readonly evil: string;
  readonly original: string;
  readonly bare: string;
  readonly signature: string;
}) => string)[] = [
  ({ evil, bare, signature }) =>
    evil.replace(
      ISSUER,
      ISSUER + signature.replace("</ds:Signature>", `<ds:Object>${bare}</ds:Object></ds:Signature>`),
    ),
  ({ evil, bare, signature }) => evil.replace(ISSUER, `${ISSUER}${signature}${bare}`),
  ({ evil, original }) => evil.replace(ISSUER, ISSUER + original),
  ({ evil, original, signature }) => evil.replace(ISSUER, `${ISSUER}${signature}${original}`),
  ({ evil, bare, signature }) =>
    evil.replace("_evil", "_message").replace(ISSUER, `${ISSUER}${signature}${EXTENSIONS.join(bare)}`),
  ({ evil, bare, signature }) =>
    evil
      .replace("_evil", "_message")
      .replace(ISSUER, ISSUER + signature.replace("</ds:Signature>", `<ds:Object>${bare}</ds:Object></ds:Signature>`)),
  ({ evil, original }) => evil.replace(ISSUER, ISSUER + EXTENSIONS.join(original)),
  ({ evil, bare, signature }) =>
    evil.replace(
      ISSUER,
      ISSUER + EXTENSIONS.join(signature.replace("</ds:Signature>", `<ds:Object>${bare}</ds:Object></ds:Signature>`)),
    ),
];

const KEY_INFO = /<ds:KeyInfo>.*<\/ds:KeyInfo>/s;
const METHOD = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const DIGEST = 'DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"';
const ENVELOPED = '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>';
const transform = (algorithm: string) => `<ds:Transform Algorithm="${algorithm}"/>`;

/** One change of a signed document each. */
const CHANGES: readonly (readonly [name: string, change: (xml: string) => string, refusal: SamlRefusal])[] = [
  ["its signature taken away", (xml) => xml.replace(SIGNATURE, ""), "signature_missing"],
  ["another id", (xml) => xml.replace('ID="_message"', 'ID="_other"'), "signature_invalid"],
  [
    "another time",
    (xml) => xml.replace('IssueInstant="2027-03-01T10:00:00', 'IssueInstant="2027-03-01T10:00:01'),
    "signature_invalid",
  ],
  ["another issuer", (xml) => xml.replace("sp.example/metadata<", "sp.example/metadatA<"), "signature_invalid"],
  ["one more attribute", (xml) => xml.replace('Version="2.0"', 'Version="2.0" Consent="x"'), "signature_invalid"],
  [
    "one more element",
    (xml) => xml.replace("</ds:Signature>", "</ds:Signature><samlp:Extensions/>"),
    "signature_invalid",
  ],
  [
    "a comment in the digest",
    (xml) => xml.replace("<ds:DigestValue>", "<ds:DigestValue><!--x-->"),
    "document_forbidden",
  ],
  ["an element in the digest", (xml) => xml.replace("<ds:DigestValue>", "<ds:DigestValue><x/>"), "signature_invalid"],
  [
    "two digests",
    (xml) => xml.replace(/<ds:DigestValue>.*<\/ds:DigestValue>/, (digest) => digest + digest),
    "signature_invalid",
  ],
  ["an empty value", (xml) => xml.replace(/<ds:SignatureValue>[^<]*/, "<ds:SignatureValue>"), "signature_invalid"],
  [
    "a value of nothing",
    (xml) => xml.replace(/<ds:SignatureValue>[^<]*/, "<ds:SignatureValue>AAAA"),
    "signature_invalid",
  ],
  [
    "two blocks of what is signed",
    (xml) => xml.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, (info) => info + info),
    "document_unexpected",
  ],
  ["no block of what is signed", (xml) => xml.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, ""), "signature_invalid"],
  [
    "two references",
    (xml) => xml.replace(/<ds:Reference .*<\/ds:Reference>/s, (reference) => reference + reference),
    "signature_invalid",
  ],
  ["no reference", (xml) => xml.replace(/<ds:Reference .*<\/ds:Reference>/s, ""), "signature_invalid"],
  ["a reference to the whole", (xml) => xml.replace('URI="#_message"', 'URI=""'), "signature_invalid"],
  [
    "a reference to elsewhere",
    (xml) => xml.replace('URI="#_message"', 'URI="http://127.0.0.1:9/"'),
    "signature_invalid",
  ],
  [
    "a reference by XPointer",
    (xml) => xml.replace('URI="#_message"', "URI=\"#xpointer(id('_message'))\""),
    "signature_invalid",
  ],
  [
    "a transform by XPath",
    (xml) => xml.replace(ENVELOPED, transform("http://www.w3.org/TR/1999/REC-xpath-19991116")),
    "algorithm_not_allowed",
  ],
  [
    "a transform by XSLT",
    (xml) => xml.replace(ENVELOPED, transform("http://www.w3.org/TR/1999/REC-xslt-19991116")),
    "algorithm_not_allowed",
  ],
  [
    "a transform by base64",
    (xml) => xml.replace(ENVELOPED, transform("http://www.w3.org/2000/09/xmldsig#base64")),
    "algorithm_not_allowed",
  ],
  ["three transforms", (xml) => xml.replace(ENVELOPED, ENVELOPED + ENVELOPED), "algorithm_not_allowed"],
  [
    "canonical form with comments",
    (xml) => xml.replaceAll("xml-exc-c14n#", "xml-exc-c14n#WithComments"),
    "algorithm_not_allowed",
  ],
  [
    "inclusive canonical form",
    (xml) => xml.replace("http://www.w3.org/2001/10/xml-exc-c14n#", "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"),
    "algorithm_not_allowed",
  ],
  [
    "a signature with SHA-1",
    (xml) => xml.replace(METHOD, "http://www.w3.org/2000/09/xmldsig#rsa-sha1"),
    "algorithm_not_allowed",
  ],
  [
    "a signature with a shared secret",
    (xml) => xml.replace(METHOD, "http://www.w3.org/2000/09/xmldsig#hmac-sha1"),
    "algorithm_not_allowed",
  ],
  [
    "a digest with SHA-1",
    (xml) => xml.replace(DIGEST, 'DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"'),
    "algorithm_not_allowed",
  ],
  [
    "a digest with MD5",
    (xml) => xml.replace(DIGEST, 'DigestMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#md5"'),
    "algorithm_not_allowed",
  ],
  ["two signatures", (xml) => xml.replace(SIGNATURE, (signature) => signature + signature), "signature_invalid"],
  [
    "a signature within another element",
    (xml) => xml.replace(SIGNATURE, (signature) => EXTENSIONS.join(signature)),
    "signature_invalid",
  ],
  [
    "a signature of another namespace",
    (xml) => xml.replaceAll('http://www.w3.org/2000/09/xmldsig#">', 'urn:evil">'),
    "signature_missing",
  ],
  ["an object of its own", (xml) => xml.replace("</ds:Signature>", "<ds:Object/></ds:Signature>"), "signature_invalid"],
];

/** Posted documents whose signature is about something else, weak or moved. */
export async function hostileSignatures(): Promise<Hostile[]> {
  const { sp, other } = await testKeys();
  const wrapped = KINDS.flatMap((kind) =>
    WRAPPINGS.flatMap((wrap, index): Hostile[] => {
      const original = signedDocument(xmlOf(kind), sp);
      const [signature = ""] = SIGNATURE.exec(original) ?? [];
      const evil = xmlOf(kind, { attributes: { ID: "_evil" } }).replace("ada@", "eve@");
      const bare = original.replace(SIGNATURE, "");
      const twice = index === 4 || index === 5;
      const refusal = twice ? "document_unexpected" : "signature_invalid";
      const own = signature.replace(KEY_INFO, "");
      return [
        [`${kind}: wrapping ${index + 1}`, kind, posted(kind, wrap({ evil, original, bare, signature })), refusal],
        [
          `${kind}: wrapping ${index + 1} without a key`,
          kind,
          posted(kind, wrap({ evil, original: original.replace(KEY_INFO, ""), bare, signature: own })),
          refusal,
        ],
      ];
    }),
  );
  const kind: Kind = "LogoutRequest";
  const sound = signedDocument(xmlOf(kind), sp);
  const changed = CHANGES.map(
    ([name, change, refusal]): Hostile => [`${kind}: ${name}`, kind, posted(kind, change(sound)), refusal],
  );
  const byOther = signedDocument(xmlOf(kind), other);
  const claiming = byOther.replace(other.certificate, sp.certificate);
  return [
    ...wrapped,
    ...changed,
    [`${kind}: the key of a stranger in the document`, kind, posted(kind, byOther), "signature_invalid"],
    [`${kind}: the right certificate beside a stranger's signature`, kind, posted(kind, claiming), "signature_invalid"],
  ];
}
