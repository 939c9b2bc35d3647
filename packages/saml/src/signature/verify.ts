import { SamlError } from "@reeve/core";
import { SignedXml } from "xml-crypto";
import type { Element } from "../xml/dom.js";
import { NS } from "../xml/names.js";
import { parsed } from "../xml/parse.js";
import { allOf, attributeOf, childrenOf, countBelow, isNamed, oneOf } from "../xml/read.js";
import { ENVELOPED, EXCLUSIVE, isRsa, keyOf, RSA_SHA256, SHA256 } from "./algorithms.js";

const SHA512 = "http://www.w3.org/2001/04/xmlenc#sha512";
const RSA_SHA512 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512";
const CANONICAL = [EXCLUSIVE];
const SIGNATURES = [RSA_SHA256, RSA_SHA512];
const DIGESTS = [SHA256, SHA512];

/**
 * The root of what an enveloped signature covers, parsed anew from the verified octets: nothing else of the document is
 * read again. `undefined` when there is no signature anywhere.
 */
export function verifiedRoot(xml: string, root: Element, certificates: readonly string[]): Element | undefined {
  const all = countBelow(root, NS.signature, "Signature");
  if (all === 0) return undefined;
  const signature = allOf(root, NS.signature, "Signature")[0];
  if (all > 1 || !signature) throw new SamlError("signature_invalid", "A signature stands where it must not.");
  checkForm(signature, attributeOf(root, "ID"));
  for (const key of certificates.map(keyOf).filter(isRsa)) {
    const covered = coveredBy(xml, signature, key.export({ format: "pem", type: "spki" }).toString());
    if (covered === undefined) continue;
    const verified = parsed(covered);
    if (verified.namespaceURI !== root.namespaceURI || verified.localName !== root.localName)
      throw new SamlError("signature_invalid", "The signature covers something else.");
    return verified;
  }
  throw new SamlError("signature_invalid");
}

/** One reference to the root by its id, with the two transforms that SAML allows, and no object of its own. */
function checkForm(signature: Element, id: string | undefined): void {
  const wrong = (detail: string) => new SamlError("signature_invalid", detail);
  const info = oneOf(signature, NS.signature, "SignedInfo");
  if (!info) throw wrong("It has no SignedInfo.");
  const names = childrenOf(signature).map((child) => child.localName);
  if (names.some((name) => !["SignedInfo", "SignatureValue", "KeyInfo"].includes(name)))
    throw wrong("It has an object of its own.");
  const algorithm = (parent: Element, name: string) => {
    const found = oneOf(parent, NS.signature, name);
    return found && attributeOf(found, "Algorithm");
  };
  const [reference, ...others] = allOf(info, NS.signature, "Reference");
  if (!reference || others.length > 0) throw wrong("It has not one reference.");
  if (!id || attributeOf(reference, "URI") !== `#${id}`) throw wrong("It refers to something else.");
  const transforms = oneOf(reference, NS.signature, "Transforms");
  const used = transforms ? childrenOf(transforms) : [];
  const isAllowed = (child: Element) =>
    isNamed(child, NS.signature, "Transform") && [ENVELOPED, EXCLUSIVE].includes(attributeOf(child, "Algorithm") ?? "");
  if (used.length > 2 || !used.every(isAllowed))
    throw new SamlError("algorithm_not_allowed", "A transform is not allowed.");
  const allowed =
    CANONICAL.includes(algorithm(info, "CanonicalizationMethod") ?? "") &&
    SIGNATURES.includes(algorithm(info, "SignatureMethod") ?? "") &&
    DIGESTS.includes(algorithm(reference, "DigestMethod") ?? "");
  if (!allowed) throw new SamlError("algorithm_not_allowed");
}

/** The octets that the signature covers, as the library verified them; `undefined` when this key does not verify it. */
function coveredBy(xml: string, signature: Element, publicKey: string): string | undefined {
  const check = new SignedXml({ publicCert: publicKey, getCertFromKeyInfo: () => null });
  only(check.SignatureAlgorithms, SIGNATURES);
  only(check.HashAlgorithms, DIGESTS);
  only(check.CanonicalizationAlgorithms, [...CANONICAL, ENVELOPED]);
  try {
    check.loadSignature(signature);
    if (!check.checkSignature(xml)) return undefined;
  } catch {
    return undefined;
  }
  const covered = check.getSignedReferences();
  return covered.length === 1 ? covered[0] : undefined;
}

function only(table: Record<string, unknown>, allowed: readonly string[]): void {
  for (const name of Object.keys(table)) if (!allowed.includes(name)) delete table[name];
}
