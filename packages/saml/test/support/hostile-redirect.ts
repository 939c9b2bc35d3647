import { createHmac, createSign } from "node:crypto";
import type { SamlMessage, SamlRefusal } from "@reeve/core";
import { TENANT, testKeys } from "./bench.js";
import { fieldOf, KINDS, type Kind, redirected, signedQuery, xmlOf } from "./messages.js";

export type Hostile = readonly [name: string, kind: Kind, message: SamlMessage, refusal: SamlRefusal];

const ALGORITHMS = "http://www.w3.org/2000/09/xmldsig#";
const FORBIDDEN = [
  `${ALGORITHMS}rsa-sha1`,
  `${ALGORITHMS}dsa-sha1`,
  `${ALGORITHMS}hmac-sha1`,
  "http://www.w3.org/2001/04/xmldsig-more#rsa-md5",
  "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha224",
  "none",
  "",
];

const partsOf = (query: string) =>
  Object.fromEntries(query.split("&").map((part) => part.split("="))) as Record<string, string>;
const joined = (parts: Readonly<Record<string, string | undefined>>) =>
  Object.entries(parts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join("&");

/** Messages of the redirect binding whose signature is missing, wrong, weak or about something else. */
export async function hostileRedirects(): Promise<Hostile[]> {
  const { sp, other } = await testKeys();
  const cases: Hostile[] = [];
  for (const kind of KINDS) {
    const field = fieldOf(kind);
    const query = signedQuery(kind, xmlOf(kind), sp);
    const parts = partsOf(query);
    const add = (name: string, changed: string, refusal: SamlRefusal) =>
      cases.push([`${kind}: ${name}`, kind, { binding: "redirect", query: changed }, refusal]);
    const changed = (more: Readonly<Record<string, string | undefined>>) => joined({ ...parts, ...more });
    add("no signature at all", changed({ SigAlg: undefined, Signature: undefined }), "signature_missing");
    add("no value of the signature", changed({ Signature: undefined }), "signature_missing");
    add("no algorithm", changed({ SigAlg: undefined }), "signature_missing");
    add("an empty signature", changed({ Signature: "" }), "signature_missing");
    add("another key", signedQuery(kind, xmlOf(kind), other), "signature_invalid");
    add("another relay state", changed({ RelayState: "elsewhere" }), "signature_invalid");
    add("no relay state", changed({ RelayState: undefined }), "signature_invalid");
    add(
      "a message swapped",
      changed({ [field]: partsOf(signedQuery(kind, xmlOf(kind, { attributes: { ID: "_2" } }), sp))[field] }),
      "signature_invalid",
    );
    add(
      "octets escaped anew",
      query.replace(/%2F|%2B|%3D|%3A/, (octet) => octet.toLowerCase()),
      "signature_invalid",
    );
    add("a second message of the same name", `${query}&${field}=${parts[field]}`, "parameter_invalid");
    add(
      "a response beside a request",
      `${query}&${field === "SAMLRequest" ? "SAMLResponse" : "SAMLRequest"}=${parts[field]}`,
      "parameter_invalid",
    );
    add("a second relay state", `${query}&RelayState=state`, "parameter_invalid");
    add("a second signature", `${query}&Signature=${parts.Signature}`, "parameter_invalid");
    add("an unknown encoding", `${query}&SAMLEncoding=gzip`, "parameter_invalid");
    add("a broken escape", changed({ RelayState: "%zz" }), "parameter_invalid");
    add(
      "a request told as a response",
      joined({
        [field === "SAMLRequest" ? "SAMLResponse" : "SAMLRequest"]: parts[field],
        SigAlg: parts.SigAlg,
        Signature: parts.Signature,
      }),
      "document_unexpected",
    );
    add(
      "a flipped bit of the signature",
      changed({ Signature: parts.Signature?.replace(/^./, (first) => (first === "A" ? "B" : "A")) }),
      "signature_invalid",
    );
  }
  const kind = "AuthnRequest";
  const unsigned = redirected(kind, xmlOf(kind)) as { query: string };
  const bare = unsigned.query.slice(`tenant=${TENANT}&`.length);
  for (const algorithm of FORBIDDEN) {
    const octets = `${bare}&SigAlg=${encodeURIComponent(algorithm)}`;
    const signature = algorithm.includes("hmac")
      ? createHmac(algorithm.includes("256") ? "sha256" : "sha1", sp.certificate)
          .update(octets)
          .digest("base64")
      : createSign("sha1").update(octets).sign(sp.privateKey, "base64");
    const query = `${octets}&Signature=${encodeURIComponent(signature)}`;
    cases.push([
      `${kind}: the algorithm "${algorithm}"`,
      kind,
      { binding: "redirect", query },
      // An empty name is none.
      algorithm === "" ? "signature_missing" : "algorithm_not_allowed",
    ]);
  }
  const mixed = `${bare}&SigAlg=${encodeURIComponent("http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256")}`;
  const byRsa = createSign("sha256").update(mixed).sign(sp.privateKey, "base64");
  cases.push([
    `${kind}: the algorithm of another kind of key`,
    kind,
    { binding: "redirect", query: `${mixed}&Signature=${encodeURIComponent(byRsa)}` },
    "signature_invalid",
  ]);
  return cases;
}
