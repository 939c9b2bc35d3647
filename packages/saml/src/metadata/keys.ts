import { type SamlCertificate, SamlError, type SamlLeftOut, type SamlProvider } from "@reeve/core";
import { isRsa, keyOf } from "../signature/algorithms.js";
import type { Element } from "../xml/dom.js";
import { NS } from "../xml/names.js";
import { allOf, attributeOf, textOf } from "../xml/read.js";
import { readCertificate } from "./certificate.js";

const MOST = 50;
const USES = ["signing", "encryption"] as const;
type Use = (typeof USES)[number];

type Keys = Pick<SamlProvider, "signingCertificates" | "encryptionCertificate" | "leftOut">;

/**
 * The keys of a service provider. One that cannot be used is left out, since it would verify and encrypt nothing: often an old
 * one that is being replaced, or one for encryption that nobody asked for.
 */
export function keysOf(role: Element): Keys {
  const keys = allOf(role, NS.metadata, "KeyDescriptor");
  if (keys.length > MOST) throw new SamlError("metadata_invalid", "They have too many keys.");
  const leftOut: SamlLeftOut[] = [];
  const of = (use: Use) =>
    keys
      .filter((key) => (attributeOf(key, "use") ?? use) === use)
      .flatMap(certificatesIn)
      .flatMap((element) => {
        const { read, ...odd } = usable(element, use);
        if (read) return [read];
        leftOut.push({ part: `${use}_key`, ...(odd as Odd) });
        return [];
      });
  const signing = of("signing");
  const [encryption = null] = of("encryption");
  const signingCertificates = [...new Map(signing.map((one) => [one.fingerprint, one])).values()];
  return { signingCertificates, encryptionCertificate: encryption, leftOut };
}

function certificatesIn(key: Element): Element[] {
  return allOf(key, NS.signature, "KeyInfo")
    .flatMap((info) => allOf(info, NS.signature, "X509Data"))
    .flatMap((data) => allOf(data, NS.signature, "X509Certificate"));
}

type Odd = Omit<SamlLeftOut, "part">;

function usable(
  element: Element,
  use: Use,
): { readonly read: SamlCertificate } | ({ readonly read?: undefined } & Odd) {
  try {
    const read = readCertificate(textOf(element));
    if (use === "signing" || isRsa(keyOf(read.certificate))) return { read };
    return { value: named(read), why: "Assertions are encrypted for keys of RSA only." };
  } catch (error) {
    if (!SamlError.is(error)) throw error;
    return { value: named({ certificate: rawText(element) }), why: error.message };
  }
}

/** The first characters of a certificate, by which a person finds it in the document. */
const named = ({ certificate }: Pick<SamlCertificate, "certificate">) => certificate.slice(0, 40);

const rawText = (element: Element): string =>
  Array.from(element.childNodes)
    .map((node) => node.nodeValue ?? "")
    .join("")
    .replace(/\s/g, "");
