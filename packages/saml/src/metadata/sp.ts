import {
  NAME_ID_FORMATS,
  type NameIdFormat,
  type SamlBinding,
  type SamlCertificate,
  SamlError,
  type SamlProvider,
} from "@reeve/core";
import { isRsa, keyOf } from "../signature/algorithms.js";
import type { Element } from "../xml/dom.js";
import { withoutComments } from "../xml/guard.js";
import { BINDING_URIS, FORMAT_URIS, NS } from "../xml/names.js";
import { parsed } from "../xml/parse.js";
import { allOf, attributeOf, isNamed, oneOf, textOf } from "../xml/read.js";
import { readCertificate } from "./certificate.js";

const MOST = 50;

const wrong = (detail: string) => new SamlError("metadata_invalid", detail);

/** Reads the metadata of one service provider. Addresses are taken as they stand; who registers them checks them. */
export function readMetadata(document: string): SamlProvider {
  const root = parsed(withoutComments(document));
  if (!isNamed(root, NS.metadata, "EntityDescriptor")) throw wrong("They describe not one entity.");
  const entityId = attributeOf(root, "entityID");
  if (!entityId || entityId.length > 1_024) throw wrong("They have no entity id.");
  const roles = allOf(root, NS.metadata, "SPSSODescriptor").filter((role) =>
    (attributeOf(role, "protocolSupportEnumeration") ?? "").split(/\s+/).includes(NS.protocol),
  );
  const [role] = roles;
  if (!role || roles.length > 1) throw wrong("They describe not one service provider of SAML 2.0.");
  return { entityId, acsUrls: acsUrlsOf(role), ...logoutOf(role), nameIdFormat: formatOf(role), ...keysOf(role) };
}

function acsUrlsOf(role: Element): string[] {
  const services = allOf(role, NS.metadata, "AssertionConsumerService").filter(
    (service) => attributeOf(service, "Binding") === BINDING_URIS.post,
  );
  if (services.length === 0) throw wrong("They have no address that takes responses by POST.");
  if (services.length > MOST) throw wrong("They have too many addresses that take responses.");
  const rank = (service: Element) => {
    const given = attributeOf(service, "isDefault");
    return given === "true" || given === "1" ? 0 : given === undefined ? 1 : 2;
  };
  const urls = [...services]
    .sort((one, other) => rank(one) - rank(other))
    .map((one) => attributeOf(one, "Location") ?? "");
  return [...new Set(urls)];
}

function logoutOf(role: Element): Pick<SamlProvider, "sloUrl" | "sloResponseUrl" | "sloBinding" | "sloSoapUrl"> {
  const services = allOf(role, NS.metadata, "SingleLogoutService");
  const by = (binding: keyof typeof BINDING_URIS) =>
    services.find((candidate) => attributeOf(candidate, "Binding") === BINDING_URIS[binding]);
  const soap = by("soap");
  const sloSoapUrl = (soap && attributeOf(soap, "Location")) || null;
  for (const binding of ["redirect", "post"] as const satisfies readonly SamlBinding[]) {
    const service = by(binding);
    const sloUrl = service && attributeOf(service, "Location");
    if (sloUrl)
      return {
        sloUrl,
        sloResponseUrl: attributeOf(service, "ResponseLocation") ?? null,
        sloBinding: binding,
        sloSoapUrl,
      };
  }
  return { sloUrl: null, sloResponseUrl: null, sloBinding: "redirect", sloSoapUrl };
}

function formatOf(role: Element): NameIdFormat | null {
  const uris = allOf(role, NS.metadata, "NameIDFormat").map(textOf);
  return NAME_ID_FORMATS.find((format) => format !== "unspecified" && uris.includes(FORMAT_URIS[format])) ?? null;
}

function keysOf(role: Element): Pick<SamlProvider, "signingCertificates" | "encryptionCertificate"> {
  const keys = allOf(role, NS.metadata, "KeyDescriptor");
  if (keys.length > MOST) throw wrong("They have too many keys.");
  const of = (use: string) =>
    keys
      .filter((key) => (attributeOf(key, "use") ?? use) === use)
      .flatMap((key) => {
        const info = oneOf(key, NS.signature, "KeyInfo");
        return info ? allOf(info, NS.signature, "X509Data") : [];
      })
      .flatMap((data) => allOf(data, NS.signature, "X509Certificate"))
      .map((certificate) => readCertificate(textOf(certificate)));
  // Assertions are encrypted for keys of RSA only.
  const encryption = of("encryption").find(({ certificate }) => isRsa(keyOf(certificate)));
  return { signingCertificates: distinct(of("signing")), encryptionCertificate: encryption ?? null };
}

function distinct(certificates: readonly SamlCertificate[]): SamlCertificate[] {
  return [...new Map(certificates.map((one) => [one.fingerprint, one])).values()];
}
