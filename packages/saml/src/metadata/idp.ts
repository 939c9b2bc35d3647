import { NAME_ID_FORMATS, type SamlIssuer, type SamlSigner } from "@reeve/core";
import { signedDocument } from "../signature/sign.js";
import { BINDING_URIS, FORMAT_URIS, NS } from "../xml/names.js";
import { element } from "../xml/write.js";

const BINDINGS = Object.values(BINDING_URIS);

/** The signed metadata of the identity provider, in the order that the schema of SAML asks for. */
export function idpMetadata(issuer: SamlIssuer, signer: SamlSigner, certificates: readonly string[]): string {
  const endpoints = (name: string, Location: string) =>
    BINDINGS.map((Binding) => element(`md:${name}`, { Binding, Location })).join("");
  const keys = certificates.map((certificate) => {
    const data = element("ds:X509Data", {}, element("ds:X509Certificate", {}, certificate));
    return element("md:KeyDescriptor", { use: "signing" }, element("ds:KeyInfo", {}, data));
  });
  const role = element(
    "md:IDPSSODescriptor",
    { WantAuthnRequestsSigned: true, protocolSupportEnumeration: NS.protocol },
    ...keys,
    endpoints("SingleLogoutService", issuer.sloUrl),
    ...NAME_ID_FORMATS.map((format) => element("md:NameIDFormat", {}, FORMAT_URIS[format])),
    endpoints("SingleSignOnService", issuer.ssoUrl),
  );
  const namespaces = { "xmlns:md": NS.metadata, "xmlns:ds": NS.signature };
  const document = element("md:EntityDescriptor", { ...namespaces, ID: "metadata", entityID: issuer.entityId }, role);
  return signedDocument(document, signer, "first");
}
