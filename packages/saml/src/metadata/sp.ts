import { type NameIdFormat, type SamlBinding, SamlError, type SamlProvider } from "@reeve/core";
import type { Element } from "../xml/dom.js";
import { withoutComments } from "../xml/guard.js";
import { BINDING_URIS, NS, nameIdFormatOf } from "../xml/names.js";
import { parsed } from "../xml/parse.js";
import { allOf, attributeOf, isNamed, textOf } from "../xml/read.js";
import { keysOf } from "./keys.js";

const MOST = 50;

const wrong = (detail: string) => new SamlError("metadata_invalid", detail);
const isTrue = (text: string | undefined) => text === "true" || text === "1";

/** Reads the metadata of one service provider. Addresses are taken as they stand; who registers them checks them. */
export function readMetadata(document: string): SamlProvider {
  const entity = entityIn(parsed(withoutComments(document)));
  const entityId = attributeOf(entity, "entityID");
  if (!entityId || entityId.length > 1_024) throw wrong("They have no entity id.");
  const [role, ...others] = rolesOf(entity);
  if (!role || others.length > 0) throw wrong("They describe not one service provider of SAML 2.0.");
  return {
    entityId,
    ...addressesOf(role),
    ...logoutOf(role),
    ...formatsOf(role),
    signsRequests: isTrue(attributeOf(role, "AuthnRequestsSigned")),
    ...keysOf(role),
  };
}

function rolesOf(entity: Element): Element[] {
  return allOf(entity, NS.metadata, "SPSSODescriptor").filter((role) =>
    (attributeOf(role, "protocolSupportEnumeration") ?? "").split(/\s+/).includes(NS.protocol),
  );
}

/** The entity of the document, or the only service provider of a list. */
function entityIn(root: Element): Element {
  if (isNamed(root, NS.metadata, "EntityDescriptor")) return root;
  const listed = isNamed(root, NS.metadata, "EntitiesDescriptor") ? allOf(root, NS.metadata, "EntityDescriptor") : [];
  const [entity, ...others] = listed.filter((one) => rolesOf(one).length > 0);
  if (!entity || others.length > 0) throw wrong("They describe not one entity.");
  return entity;
}

function addressesOf(role: Element): Pick<SamlProvider, "acsIndexes" | "acsUrls"> {
  const services = allOf(role, NS.metadata, "AssertionConsumerService").filter(
    (service) => attributeOf(service, "Binding") === BINDING_URIS.post,
  );
  if (services.length === 0) throw wrong("They have no address that takes responses by POST.");
  if (services.length > MOST) throw wrong("They have too many addresses that take responses.");
  const rank = (service: Element) => {
    const given = attributeOf(service, "isDefault");
    return isTrue(given) ? 0 : given === undefined ? 1 : 2;
  };
  const locationOf = (service: Element) => attributeOf(service, "Location") ?? "";
  const urls = [...services].sort((one, other) => rank(one) - rank(other)).map(locationOf);
  const indexed = services.flatMap((service): [string, string][] => {
    const index = attributeOf(service, "index") ?? "";
    return /^\d{1,5}$/.test(index) ? [[String(Number(index)), locationOf(service)]] : [];
  });
  return { acsUrls: [...new Set(urls)], acsIndexes: Object.fromEntries(indexed) };
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

/** The kinds of name that are listed. The first is the wish of the application, and one that is unspecified leaves it open. */
function formatsOf(role: Element): Pick<SamlProvider, "nameIdFormat" | "nameIdFormats"> {
  const listed = allOf(role, NS.metadata, "NameIDFormat").flatMap((format) => nameIdFormatOf(textOf(format)) ?? []);
  const nameIdFormats = [...new Set<NameIdFormat>(listed)];
  const [first = "unspecified"] = nameIdFormats;
  return { nameIdFormat: first === "unspecified" ? null : first, nameIdFormats };
}
