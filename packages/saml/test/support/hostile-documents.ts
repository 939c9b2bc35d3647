import { deflateRawSync } from "node:zlib";
import type { SamlRefusal } from "@reeve/core";
import type { Hostile } from "./hostile-redirect.js";
import { posted, redirected, xmlOf } from "./messages.js";

const sound = xmlOf("LogoutRequest");
const inName = (text: string) => sound.replace("ada@acme.example", text);
const before = (text: string) => `${text}${sound}`;
const nested = (depth: number) => `${"<samlp:Extensions>".repeat(depth)}${"</samlp:Extensions>".repeat(depth)}`;
const BOMB = Array.from({ length: 10 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join("");

/** Documents that no parser should have to read, and how each is refused. */
const DOCUMENTS: readonly (readonly [name: string, document: string | Uint8Array, refusal: SamlRefusal])[] = [
  ["a document type", before("<!DOCTYPE samlp:LogoutRequest>"), "document_forbidden"],
  ["an entity bomb of ten levels", before(`<!DOCTYPE a [<!ENTITY l0 "lol">${BOMB}]>`), "document_forbidden"],
  ["an entity of a file", before('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), "document_forbidden"],
  ["an entity of the network", before('<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>'), "document_forbidden"],
  ["a parameter entity", before('<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/">%x;]>'), "document_forbidden"],
  ["a document type of the network", before('<!DOCTYPE a PUBLIC "x" "http://127.0.0.1:9/">'), "document_forbidden"],
  ["a document type in lower case", before("<!doctype a>"), "document_forbidden"],
  ["a reference to an unknown entity", inName("&lol;"), "document_forbidden"],
  ["a reference to an entity of HTML", inName("&nbsp;"), "document_forbidden"],
  ["a reference without its end", inName("&amp ada"), "document_forbidden"],
  ["a lone ampersand", inName("a & b"), "document_forbidden"],
  ["a processing instruction", before('<?xml-stylesheet href="x"?>'), "document_forbidden"],
  ["a processing instruction in a name", inName("ada<?x?>@acme.example"), "document_forbidden"],
  ["a second declaration", before('<?xml version="1.0"?><?xml version="1.0"?>'), "document_forbidden"],
  ["a declaration of XML 1.1", before('<?xml version="1.1"?>'), "document_forbidden"],
  ["a declaration of another encoding", before('<?xml version="1.0" encoding="UTF-7"?>'), "document_forbidden"],
  ["a comment in a name", inName("ada@acme.example<!---->.evil.example"), "document_forbidden"],
  ["a comment in the issuer", sound.replace("sp.example/", "sp.example/<!--x-->"), "document_forbidden"],
  ["a comment before the root", before("<!-- x -->"), "document_forbidden"],
  ["a comment behind the root", `${sound}<!-- x -->`, "document_forbidden"],
  ["CDATA in a name", inName("<![CDATA[ada@acme.example]]>"), "document_forbidden"],
  ["UTF-16", Buffer.from(`\ufeff${sound}`, "utf16le"), "document_malformed"],
  ["a byte order mark", `\ufeff${sound}`, "document_malformed"],
  [
    "bytes that are no UTF-8",
    Buffer.concat([Buffer.from(sound.slice(0, -30)), Buffer.from([0xff, 0xfe])]),
    "document_malformed",
  ],
  [
    "an overlong form of UTF-8",
    Buffer.concat([Buffer.from([0xc0, 0xbc]), Buffer.from(sound.slice(1))]),
    "document_malformed",
  ],
  ["a NUL", inName("ada\u0000"), "document_malformed"],
  ["a control character", inName("ada\u0008"), "document_malformed"],
  ["a reference to NUL", inName("ada&#0;"), "document_malformed"],
  ["a reference to a surrogate", inName("ada&#xd800;"), "document_malformed"],
  ["a reference beyond Unicode", inName("ada&#x110000;"), "document_malformed"],
  ["two roots", sound + sound, "document_malformed"],
  ["text behind the root", `${sound}x`, "document_malformed"],
  ["text before the root", `x${sound}`, "document_malformed"],
  ["an open element", sound.replace("</samlp:LogoutRequest>", ""), "document_malformed"],
  ["elements that overlap", sound.replace("</saml:NameID>", "</samlp:SessionIndex>"), "document_malformed"],
  ["an attribute without quotes", sound.replace('Version="2.0"', "Version=2.0"), "document_malformed"],
  ["an attribute without a value", sound.replace('Version="2.0"', "Version"), "document_malformed"],
  ["an attribute twice", sound.replace('Version="2.0"', 'Version="2.0" Version="2.0"'), "document_malformed"],
  ["an unknown prefix", sound.replaceAll("saml:NameID", "evil:NameID"), "document_malformed"],
  ["a less-than in an attribute", sound.replace('Version="2.0"', 'Version="<2.0"'), "document_malformed"],
  ["no markup", "hello", "document_malformed"],
  ["JSON", '{"LogoutRequest":{}}', "document_malformed"],
  ["HTML", "<html><body>hello</body></html>", "document_unexpected"],
  ["nothing but white space", "   ", "document_malformed"],
  ["33 levels", sound.replace("<samlp:SessionIndex>", `${nested(33)}<samlp:SessionIndex>`), "document_too_large"],
  [
    "thousands of levels",
    sound.replace("<samlp:SessionIndex>", `${nested(1_500)}<samlp:SessionIndex>`),
    "document_too_large",
  ],
  [
    "1,001 nodes",
    sound.replace("<samlp:SessionIndex>", `${"<samlp:Extensions/>".repeat(1_001)}<samlp:SessionIndex>`),
    "document_too_large",
  ],
  [
    "51 attributes",
    sound.replace('Version="2.0"', `Version="2.0" ${Array.from({ length: 51 }, (_, i) => `a${i}="1"`).join(" ")}`),
    "document_too_large",
  ],
  ["more than 64 KiB", inName("a".repeat(66_000)), "document_too_large"],
  [
    "an id twice",
    sound.replace("<samlp:SessionIndex>", '<samlp:Extensions ID="_message"/><samlp:SessionIndex>'),
    "document_unexpected",
  ],
  [
    "an id twice in another case",
    sound.replace("<samlp:SessionIndex>", '<samlp:Extensions Id="_message"/><samlp:SessionIndex>'),
    "document_unexpected",
  ],
  ["another namespace", sound.replace("SAML:2.0:protocol", "SAML:1.0:protocol"), "document_unexpected"],
  ["another kind of message", sound.replaceAll("LogoutRequest", "ArtifactResolve"), "document_unexpected"],
  ["a response for a request", sound.replaceAll("LogoutRequest", "LogoutResponse"), "document_unexpected"],
];

/** Every document in both bindings, and what only a binding can get wrong. */
export function hostileDocuments(): Hostile[] {
  const kind = "LogoutRequest";
  const both = DOCUMENTS.flatMap(([name, document, refusal]): Hostile[] => {
    const text = Buffer.from(document).length > 60_000 ? "document_too_large" : refusal;
    return [
      [`${name}, posted`, kind, posted(kind, document), text],
      [`${name}, redirected`, kind, redirected(kind, document), refusal],
    ];
  });
  const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024, 0x20)).toString("base64");
  const form = (fields: Readonly<Record<string, string>>) => ({ binding: "post", fields }) as const;
  const value = Buffer.from(sound).toString("base64");
  const redirect = (text: string) =>
    ({ binding: "redirect", query: `SAMLRequest=${encodeURIComponent(text)}` }) as const;
  return [
    ...both,
    ["64 MiB of spaces, deflated", kind, redirect(bomb), "document_too_large"],
    ["a document that is not deflated", kind, redirect(value), "document_malformed"],
    ["base64 of another alphabet", kind, redirect("_-_-"), "document_malformed"],
    [
      "base64 with a space",
      kind,
      form({ SAMLRequest: `${value.slice(0, 8)} ${value.slice(8)}` }),
      "document_malformed",
    ],
    ["base64 cut off", kind, form({ SAMLRequest: value.slice(0, 9) }), "document_malformed"],
    ["an empty message", kind, form({ SAMLRequest: "" }), "document_malformed"],
    ["no message", kind, form({ RelayState: "x" }), "parameter_invalid"],
    ["no message in a query", kind, { binding: "redirect", query: "RelayState=x" }, "parameter_invalid"],
    [
      "a request and a response in a form",
      kind,
      form({ SAMLRequest: value, SAMLResponse: value }),
      "parameter_invalid",
    ],
    [
      "a relay state of 2,049 bytes",
      kind,
      form({ SAMLRequest: value, RelayState: "é".repeat(1_025) }),
      "relay_state_invalid",
    ],
    [
      "a relay state with a line break",
      kind,
      form({ SAMLRequest: value, RelayState: "a\r\nSet-Cookie: x" }),
      "relay_state_invalid",
    ],
    [
      "a relay state with an escaped line break",
      kind,
      redirected(kind, sound, "&RelayState=a%0d%0ab"),
      "relay_state_invalid",
    ],
  ];
}
