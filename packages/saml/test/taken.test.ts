import { readFileSync } from "node:fs";
import { SAML_REFUSALS, type SamlExpectation, type SamlMessage } from "@reeve/core";
import { describe, expect, it } from "vitest";
import { engine, SSO, testKeys } from "./support/bench.js";
import { type Change, expectation, posted, redirected, signedMessage, xmlOf } from "./support/messages.js";

const KIND = "AuthnRequest";
const NAME_ID = (version: string, name: string) => `urn:oasis:names:tc:SAML:${version}:nameid-format:${name}`;
const wishing = (format: string): Change => ({
  content: `<samlp:NameIDPolicy Format="${format}" AllowCreate="true"/>`,
});
const having = (name: string, value: string | null): Change => ({ attributes: { [name]: value } });
const about = (name: string): Change => ({
  content: `<saml:Subject><saml:NameID>${name}</saml:NameID></saml:Subject>`,
});

const read = async (message: SamlMessage, more: Partial<SamlExpectation> = {}) =>
  engine.readAuthnRequest(message, await expectation(KIND, { signedRequests: false, ...more }));

describe("a request to sign on is taken", () => {
  it.each<[string, Change, object]>([
    ["with an e-mail address as of SAML 2.0", wishing(NAME_ID("2.0", "emailAddress")), { nameIdFormat: "email" }],
    ["with any name as of SAML 2.0", wishing(NAME_ID("2.0", "unspecified")), { nameIdFormat: null }],
    ["with any name as of SAML 1.0", wishing(NAME_ID("1.0", "unspecified")), { nameIdFormat: null }],
    ["with a lasting name as of SAML 1.1", wishing(NAME_ID("1.1", "persistent")), { nameIdFormat: "persistent" }],
    ["with a name for once as of SAML 1.1", wishing(NAME_ID("1.1", "transient")), { nameIdFormat: "transient" }],
    ["with an e-mail address in small letters", wishing(NAME_ID("1.1", "emailaddress")), { nameIdFormat: "email" }],
    ["with a kind of name that is empty", wishing(""), { nameIdFormat: null }],
    [
      "with white space about a kind of name",
      wishing(` ${NAME_ID("2.0", "persistent")} `),
      { nameIdFormat: "persistent" },
    ],
    ["with a time without a zone, which is in UTC", having("IssueInstant", "2027-03-01T10:00:00"), {}],
    ["with a time of another zone", having("IssueInstant", "2027-03-01T19:00:00+09:00"), {}],
    ["with a time of ten decimals", having("IssueInstant", "2027-03-01T10:00:00.1234567891Z"), {}],
    ["with an id that begins with a digit", having("ID", "3f2504e0-4f89"), { id: "3f2504e0-4f89" }],
    ["with a boolean in capitals", having("ForceAuthn", "True"), { forceAuthn: true }],
    ["without where it is sent", having("Destination", null), {}],
    ["with the port in where it is sent", having("Destination", SSO.replace(".example", ".example:443")), {}],
    ["with the host in capitals", having("Destination", SSO.replace("reeve.example", "REEVE.example")), {}],
    [
      "with a wish for an artifact",
      having("ProtocolBinding", "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"),
      {},
    ],
    ["with the index of an address", having("AssertionConsumerServiceIndex", "1"), { acsIndex: 1, acsUrl: null }],
    ["with the name of somebody", about("ada@acme.example"), { subject: "ada@acme.example" }],
    [
      "with a subject without a name",
      { content: "<saml:Subject><saml:SubjectConfirmation/></saml:Subject>" },
      { subject: null },
    ],
  ])("%s", async (_what, change, taken) => {
    expect(await read(redirected(KIND, xmlOf(KIND, change)))).toMatchObject({ signed: false, ...taken });
    expect(await read(posted(KIND, xmlOf(KIND, change)))).toMatchObject({ signed: false, ...taken });
  });

  it("with parameters of others beside it, signed or not", async () => {
    const { query } = (await signedMessage(KIND, "redirect")) as { query: string };
    for (const beside of ["login_hint=ada%40acme.example", "username=a&lang=en", "hint=a&hint=b", "x=%zz", "SAMLart=1"])
      for (const one of [`${query}&${beside}`, `${beside}&${query}`])
        expect(await read({ binding: "redirect", query: one }, { signedRequests: true })).toMatchObject({
          signed: true,
        });
    const form = posted(KIND, xmlOf(KIND), { submit: "Continue", SigAlg: "none", Signature: "" });
    expect(await read(form)).toMatchObject({ signed: false });
  });

  it("with the state of a page that is longer than the specification says", async () => {
    const state = `https://sp.example/page?${"x".repeat(2_000)}`;
    expect(await read(posted(KIND, xmlOf(KIND), { RelayState: state }))).toMatchObject({ relayState: state });
  });

  it("with a signature within beside that of the redirect, which alone counts", async () => {
    const { sp } = await testKeys();
    const { query } = (await signedMessage(KIND, "redirect", {
      more: `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>`,
    })) as { query: string };
    const message = { binding: "redirect", query } as const;
    expect(await read(message, { signedRequests: true })).toMatchObject({ signed: true });
    const alone = redirected(
      KIND,
      xmlOf(KIND, { more: `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>` }),
    );
    const need = { certificates: [sp.certificate], signedRequests: true };
    await expect(read(alone, need)).rejects.toMatchObject({ refusal: "signature_missing" });
  });
});

describe("metadata of an application are taken", () => {
  const key = (certificate: string, use = "") =>
    `<md:KeyDescriptor${use && ` use="${use}"`}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  const acs =
    '<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/acs" index="7"/>';
  const described = (content: string, attributes = "") =>
    `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://sp.example"><md:SPSSODescriptor ${attributes} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${content}${acs}</md:SPSSODescriptor></md:EntityDescriptor>`;
  const formats = (...names: readonly string[]) =>
    names.map((name) => `<md:NameIDFormat>urn:oasis:names:tc:SAML:${name}</md:NameIDFormat>`).join("");
  /** A key of RSA with 1,024 bits. */
  const WEAK =
    "MIICBjCCAW+gAwIBAgIUcLTL2mkNjqHRQPdngwV0MJgG2dQwDQYJKoZIhvcNAQELBQAwFTETMBEGA1UEAwwKb2xkIHNpZ25lcjAeFw0yNjExMjgxNDQ5MjBaFw0zNjExMjUxNDQ5MjBaMBUxEzARBgNVBAMMCm9sZCBzaWduZXIwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBALtQZIE5TGfuvTfQ3GJd0TdcjkNFBmr7Kw6BOBnLoartm8pt3C2SaPiQcGkJbSDq9mhxFGS1JD0P3So8Y7Jsublw+iJ4OMqMGTJw2rhsYnnKfo/Tzyx+FNuarJDQ2zP1m6cCWJwjOmjwGGYW6IxXt6jARX+RG1IzWTwcLhnYWsg7AgMBAAGjUzBRMB0GA1UdDgQWBBS5C8lChsRGc/PAMy0UwckpgyfipTAfBgNVHSMEGDAWgBS5C8lChsRGc/PAMy0UwckpgyfipTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4GBAI91l0WLQA1vY7Yvk6c6R+nNeWXSMX8tG22k3EPGE+rgAP9MjuH5N0OM5z42+dAqkKgJN8uGWOe1MVTc+AktPOVV+Ve0NtPIe9+tjX1l01P71eqKzoxSSKOEirCmI7Zv8dcnz/WMw+bpgyuVrLtdFrYdp8rw5vcPcEJTE7SfQXLu";

  it.each(["signing", "encryption", ""])("without a key that cannot be used, and say so: %s", async (use) => {
    const { sp } = await testKeys();
    const parts = use === "" ? ["signing_key", "encryption_key"] : [`${use}_key`];
    for (const odd of [WEAK, "AAAA", "", sp.certificate.slice(0, 300), "<x/>"]) {
      const read = await engine.readMetadata(described(key(odd, use) + key(sp.certificate, "signing")));
      expect(read.signingCertificates.map(({ fingerprint }) => fingerprint)).toEqual([sp.fingerprint]);
      expect(read.encryptionCertificate).toBeNull();
      expect(read.leftOut.map(({ part }) => part)).toEqual(parts);
    }
    expect((await engine.readMetadata(described(key(sp.certificate)))).leftOut).toEqual([]);
  });

  it.each([
    [["2.0:nameid-format:persistent", "1.1:nameid-format:emailAddress"], "persistent", ["persistent", "email"]],
    [["1.1:nameid-format:emailAddress", "2.0:nameid-format:persistent"], "email", ["email", "persistent"]],
    [["2.0:nameid-format:kerberos", "2.0:nameid-format:transient"], "transient", ["transient"]],
    [["2.0:nameid-format:unspecified", "2.0:nameid-format:transient"], null, ["unspecified", "transient"]],
    [["2.0:nameid-format:emailAddress"], "email", ["email"]],
    [[], null, []],
  ])("with the kind of name that they list first: %j", async (listed, nameIdFormat, nameIdFormats) => {
    expect(await engine.readMetadata(described(formats(...listed)))).toMatchObject({ nameIdFormat, nameIdFormats });
  });

  it("with whether they say that it signs, and with the indexes of its addresses", async () => {
    for (const [attributes, signsRequests] of [
      ["", false],
      ['AuthnRequestsSigned="false"', false],
      ['AuthnRequestsSigned="true"', true],
      ['AuthnRequestsSigned="1"', true],
    ] as const)
      expect(await engine.readMetadata(described("", attributes))).toMatchObject({
        signsRequests,
        acsIndexes: { 7: "https://sp.example/acs" },
      });
  });

  it("within a list, where they are the only ones of a service provider", async () => {
    const list = (...all: readonly string[]) =>
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${all.join("")}</md:EntitiesDescriptor>`;
    const other = described("").replaceAll("SPSSODescriptor", "IDPSSODescriptor");
    expect(await engine.readMetadata(list(other, described("")))).toMatchObject({ entityId: "https://sp.example" });
    for (const wrong of [list(), list(other), list(described(""), described(""))])
      await expect(engine.readMetadata(wrong)).rejects.toMatchObject({ refusal: "metadata_invalid" });
  });
});

describe("the guide of the sign-on", () => {
  it("says of every refusal whom it protects and what applications send", () => {
    const guide = readFileSync(new URL("../../../docs/guides/sign-on.md", import.meta.url), "utf8");
    const rows = [...guide.matchAll(/^\| `(\w+_\w+|replayed)` +\|(.+)\|(.+)\|(.+)\|$/gm)];
    expect(rows.map(([, refusal]) => refusal).toSorted()).toEqual(Object.keys(SAML_REFUSALS).toSorted());
    for (const [, refusal, ...cells] of rows)
      for (const cell of cells) expect([refusal, cell.trim().length > 5]).toEqual([refusal, true]);
  });
});
