import { NAME_ID_FORMATS, type SamlIssuer, type SamlSigner } from "@reeve/core";
import { RSA_SHA256, SHA256 } from "../signature/algorithms.js";
import { signedDocument } from "../signature/sign.js";
import { BINDING_URIS, FORMAT_URIS, NS } from "../xml/names.js";
import { element } from "../xml/write.js";

const BINDINGS = [BINDING_URIS.redirect, BINDING_URIS.post];
/** Tells service providers that choose by it what to sign with. */
const ALGORITHMS = "urn:oasis:names:tc:SAML:metadata:algsupport";

/** The signed metadata of the identity provider, in the order that the schema of SAML asks for. */
export function idpMetadata(
  issuer: SamlIssuer,
  signer: SamlSigner,
  certificates: readonly string[],
  wantsSigned = false,
): string {
  const endpoints = (name: string, Location: string) =>
    BINDINGS.map((Binding) => element(`md:${name}`, { Binding, Location })).join("");
  const keys = certificates.map((certificate) => {
    const data = element("ds:X509Data", {}, element("ds:X509Certificate", {}, certificate));
    return element("md:KeyDescriptor", { use: "signing" }, element("ds:KeyInfo", {}, data));
  });
  const algorithms = element(
    "md:Extensions",
    { "xmlns:alg": ALGORITHMS },
    element("alg:DigestMethod", { Algorithm: SHA256 }),
    element("alg:SigningMethod", { Algorithm: RSA_SHA256 }),
  );
  const role = element(
    "md:IDPSSODescriptor",
    { WantAuthnRequestsSigned: wantsSigned, protocolSupportEnumeration: NS.protocol },
    algorithms,
    ...keys,
    endpoints("SingleLogoutService", issuer.sloUrl),
    ...NAME_ID_FORMATS.map((format) => element("md:NameIDFormat", {}, FORMAT_URIS[format])),
    endpoints("SingleSignOnService", issuer.ssoUrl),
  );
  const namespaces = { "xmlns:md": NS.metadata, "xmlns:ds": NS.signature };
  const document = element("md:EntityDescriptor", { ...namespaces, ID: "metadata", entityID: issuer.entityId }, role);
  return signedDocument(document, signer, "first");
}
