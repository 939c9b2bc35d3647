import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SAML, ValidateInResponseTo } from "@node-saml/node-saml";
import type { SamlKey } from "@reeve/core";
import { program } from "@reeve/testkit/programs";
import fc from "fast-check";
import { afterAll, describe, expect, inject, it } from "vitest";
import { certificatePem } from "../src/signature/algorithms.js";
import { parsed } from "../src/xml/parse.js";
import { escaped } from "../src/xml/write.js";
import { ACS, engine, issuer, NOW, SP, signOn, testKeys } from "./support/bench.js";
import { at, expectation } from "./support/messages.js";

const xmlsec = program("xmlsec1", "xmlsec1");
const xmllint = program("xmllint", "libxml2-utils");
const schemas = program("saml-schema-protocol-2.0.xsd", "simplesamlphp", "/usr/share/simplesamlphp/schemas");
/** Of one kind each. A signature takes a hundredth of a second, so `npm test` tries fewer than `--all`. */
const RUNS = inject("isQuick") ? 100 : 500;
const folder = mkdtempSync(join(tmpdir(), "reeve-saml-"));
afterAll(() => rmSync(folder, { recursive: true }));

const textOf = (base64: string) => Buffer.from(base64, "base64").toString();

/** A service provider that verifies what it is sent, by another library than the one that wrote it. */
function provider(idp: SamlKey, more: Partial<ConstructorParameters<typeof SAML>[0]> = {}) {
  return new SAML({
    callbackUrl: ACS,
    issuer: SP,
    audience: SP,
    idpCert: certificatePem(idp.certificate),
    idpIssuer: issuer.entityId,
    entryPoint: issuer.ssoUrl,
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
    validateInResponseTo: ValidateInResponseTo.never,
    // Its clock is that of the machine.
    acceptedClockSkewMs: -1,
    ...more,
  });
}

const read = async (saml: SAML, response: string) =>
  (await saml.validatePostResponseAsync({ SAMLResponse: response })).profile;

/** Texts as people and attackers write them. Those that XML has no way to say are replaced. */
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    '</saml:AttributeValue><saml:Attribute Name="role"><saml:AttributeValue>owner',
    "]]>",
    "<!--",
    "<![CDATA[x]]>",
    "&amp;&lt;",
    "&#0;",
    "a\r\nb\tc",
    "a\u0085b\u2028c\r\u0085d",
    " x ",
    "\u0000\u0008\ud800\uffff",
    "é\u{1f600}漢",
    "x".repeat(65_536),
  ),
);

/** What is left of a text on its way through XML. */
const sent = (text: string) =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[\u0085\u2028]/gu, "\ufffd");

describe("any text", () => {
  it("comes back from a document as it was", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const root = parsed(`<a b="${escaped(text)}">${escaped(text)}</a>`);
        expect(root.getAttribute("b")).toBe(sent(text));
        expect(Array.from(root.childNodes, (node) => node.nodeValue).join("")).toBe(sent(text));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a response", () => {
  it("brings back random names and attributes, which the service provider verifies", async () => {
    const { idp } = await testKeys();
    const saml = provider(idp);
    // The other library reads a value of white space only as none.
    const values = fc.array(
      texts.filter((text) => text.trim() !== ""),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(
        texts.filter((text) => text.trim() !== ""),
        values,
        async (nameId, given) => {
          const attributes = [{ name: "groups", nameFormat: "basic" as const, values: given }];
          const profile = await read(saml, await engine.writeResponse(await signOn({ nameId, attributes })));
          expect(profile?.nameID).toBe(sent(nameId));
          expect([profile?.attributes].flat()[0]).toEqual({
            groups: given.length === 1 ? sent(given[0] as string) : given.map(sent),
          });
        },
      ),
      { numRuns: RUNS },
    );
  });

  it.skipIf(xmlsec.path === undefined)(`of random names is verified by xmlsec1${xmlsec.note}`, async () => {
    const { idp } = await testKeys();
    const files: string[] = [];
    const target = join(folder, "signed");
    mkdirSync(target);
    for (const [index, nameId] of fc.sample(texts, RUNS).entries()) {
      const attributes = [{ name: "text", nameFormat: "basic" as const, values: [nameId] }];
      const file = join(target, `${index}.xml`);
      writeFileSync(file, textOf(await engine.writeResponse(await signOn({ nameId, attributes }))));
      files.push(file);
    }
    for (const kind of ["Response", "Assertion"]) verifyAll(idp, kind, files);
    const forged = join(target, "forged.xml");
    writeFileSync(forged, textOf(await engine.writeResponse(await signOn())).replaceAll("ada@", "eve@"));
    expect(() => verifyAll(idp, "Assertion", [forged])).toThrow();
  });

  function verifyAll(idp: SamlKey, kind: string, files: readonly string[]) {
    const certificate = join(folder, "idp.crt");
    writeFileSync(certificate, certificatePem(idp.certificate));
    const place = `//*[local-name()='${kind}']/*[local-name()='Signature']`;
    const ids = ["--id-attr:ID", "Response", "--id-attr:ID", "Assertion"];
    const how = ["--verify", ...ids, "--pubkey-cert-pem", certificate, "--node-xpath", place];
    execFileSync(xmlsec.path as string, [...how, "--enabled-key-data", "x509,rsa", ...files], { stdio: "pipe" });
  }

  it("is read by its service provider, also encrypted or signed in one place only", async () => {
    const { idp, sp } = await testKeys();
    const encrypted = textOf(await engine.writeResponse(await signOn({ encryptFor: sp.certificate })));
    expect(encrypted).not.toContain("ada@");
    const reader = provider(idp, { decryptionPvk: sp.privateKey });
    expect((await read(reader, Buffer.from(encrypted).toString("base64")))?.nameID).toBe("ada@acme.example");
    const once = await engine.writeResponse(await signOn({ signed: "assertion" }));
    expect((await read(provider(idp, { wantAuthnResponseSigned: false }), once))?.sessionIndex).toBe("_session");
    await expect(read(provider(idp), once)).rejects.toThrow("Invalid document signature");
  });

  it("for another audience is refused by the service provider", async () => {
    const { idp } = await testKeys();
    const response = await engine.writeResponse(await signOn({ entityId: "https://other.example/metadata" }));
    await expect(read(provider(idp), response)).rejects.toThrow(/audience/i);
  });

  it("that was changed or signed by a stranger is refused by the service provider", async () => {
    const { idp, other } = await testKeys();
    const sound = textOf(await engine.writeResponse(await signOn()));
    const forged = Buffer.from(sound.replaceAll("ada@", "eve@")).toString("base64");
    await expect(read(provider(idp), forged)).rejects.toThrow("Invalid document signature");
    const strange = await engine.writeResponse(await signOn({ signer: other }));
    await expect(read(provider(idp), strange)).rejects.toThrow("Invalid document signature");
  });

  it("says for whom, where and until when it holds", async () => {
    const document = textOf(await engine.writeResponse(await signOn()));
    for (const text of [
      `Recipient="${ACS}"`,
      `Destination="${ACS}"`,
      'InResponseTo="_request"',
      `<saml:Audience>${SP}</saml:Audience>`,
      `<saml:Conditions NotBefore="${at(-60_000)}" NotOnOrAfter="${at(300_000)}">`,
      `SessionNotOnOrAfter="${at(8 * 3_600_000)}"`,
    ])
      expect(document).toContain(text);
    expect(textOf(await engine.writeResponse(await signOn({ inResponseTo: null })))).not.toContain("InResponseTo");
  });

  it("that refuses is signed and says why", async () => {
    const { idp } = await testKeys();
    const failure = {
      issuer,
      signer: idp,
      acsUrl: ACS,
      inResponseTo: "_request",
      now: NOW,
      id: "_failure",
      status: "RequestDenied",
    } as const;
    const document = await engine.writeFailure(failure);
    expect(textOf(document)).toContain("urn:oasis:names:tc:SAML:2.0:status:RequestDenied");
    await expect(read(provider(idp), document)).rejects.toThrow(/RequestDenied/);
  });
});

describe("the messages of a logout", () => {
  it("are verified by the other side", async () => {
    const { idp } = await testKeys();
    const draft = {
      issuer,
      signer: idp,
      id: "_message",
      now: NOW,
      destination: "https://sp.example/slo",
      relayState: "state",
    };
    const subject = {
      nameId: "ada@acme.example",
      nameIdFormat: "email",
      entityId: SP,
      sessionIndex: "_session",
    } as const;
    const fits = await expectation("LogoutRequest", {
      entityId: issuer.entityId,
      certificates: [idp.certificate],
      destination: draft.destination,
    });
    for (const binding of ["redirect", "post"] as const) {
      const out = [
        await engine.writeLogoutRequest({ ...draft, binding }, subject),
        await engine.writeLogoutResponse({ ...draft, binding }, { inResponseTo: "_request", status: "Success" }),
        await engine.writeLogoutResponse({ ...draft, binding }, { inResponseTo: "_request", status: "Requester" }),
      ];
      const messages = out.map((one) =>
        one.binding === "redirect"
          ? ({ binding: "redirect", query: new URL(one.url).search.slice(1) } as const)
          : ({ binding: "post", fields: one.fields } as const),
      );
      const received = await Promise.all(messages.map((message) => engine.readLogout(message, fits)));
      expect(received).toMatchObject([
        { kind: "LogoutRequest", nameId: "ada@acme.example", sessionIndexes: ["_session"], relayState: "state" },
        { kind: "LogoutResponse", inResponseTo: "_request", success: true },
        { kind: "LogoutResponse", success: false },
      ]);
    }
  });
});

describe("metadata", () => {
  const isMissing = xmllint.path === undefined || schemas.path === undefined;

  it.skipIf(isMissing)(`and responses are valid by the schema of SAML${xmllint.note}${schemas.note}`, async () => {
    const { idp, sp, other } = await testKeys();
    const validate = (schema: string, document: string) => {
      const file = join(folder, "document.xml");
      writeFileSync(file, document);
      const path = (schemas.path as string).replace("protocol", schema);
      execFileSync(xmllint.path as string, ["--nonet", "--noout", "--schema", path, file], { stdio: "pipe" });
    };
    validate("metadata", await engine.writeMetadata(issuer, idp, [idp.certificate, other.certificate]));
    for (const more of [{}, { encryptFor: sp.certificate }, { signed: "assertion" as const }, { attributes: [] }])
      validate("protocol", textOf(await engine.writeResponse(await signOn(more))));
    for (const text of fc.sample(texts, 50)) {
      const attributes = [{ name: text || "x", nameFormat: "uri" as const, friendlyName: text, values: [text] }];
      validate("protocol", textOf(await engine.writeResponse(await signOn({ nameId: text, attributes }))));
    }
    expect(() => validate("metadata", "<x/>")).toThrow();
  });

  it("of a service provider are read", async () => {
    const { idp, sp } = await testKeys();
    const saml = provider(idp, {
      privateKey: sp.privateKey,
      logoutCallbackUrl: "https://sp.example/slo",
      decryptionPvk: sp.privateKey,
    });
    const pem = certificatePem(sp.certificate);
    const document = saml.generateServiceProviderMetadata(pem, pem);
    expect(await engine.readMetadata(document)).toMatchObject({
      entityId: SP,
      acsUrls: [ACS],
      sloUrl: "https://sp.example/slo",
      sloBinding: "post",
      signingCertificates: [{ fingerprint: sp.fingerprint, notAfter: sp.notAfter }],
      encryptionCertificate: { certificate: sp.certificate },
    });
  });

  const role = (content: string, more = "") =>
    `<!-- made by hand --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${SP}"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${content}</md:SPSSODescriptor>${more}</md:EntityDescriptor>`;
  const post = (index: number, more = "") =>
    `<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/acs/${index}" index="${index}"${more}/>`;

  it("give the default address first", async () => {
    const { acsUrls } = await engine.readMetadata(
      role(post(1, ' isDefault="false"') + post(2) + post(3, ' isDefault="true"')),
    );
    expect(acsUrls.map((url) => url.at(-1))).toEqual(["3", "2", "1"]);
  });

  it.each([
    ["no metadata", "<x/>", "metadata_invalid"],
    ["no address for POST", role(""), "metadata_invalid"],
    ["no entity id", role(post(1)).replace(`entityID="${SP}"`, ""), "metadata_invalid"],
    [
      "two roles",
      role(
        post(1),
        role(post(1))
          .replace(/^.*?<md:SPSSO/, "<md:SPSSO")
          .replace("</md:EntityDescriptor>", ""),
      ),
      "metadata_invalid",
    ],
    ["another protocol", role(post(1)).replace("SAML:2.0:protocol", "SAML:1.1:protocol"), "metadata_invalid"],
    [
      "a comment within a text",
      role(`${post(1)}<md:NameIDFormat>a<!-- x -->b</md:NameIDFormat>`),
      "document_forbidden",
    ],
    ["a document type", `<!DOCTYPE x>${role(post(1))}`, "document_forbidden"],
  ])("are refused: %s", async (_what, document, refusal) => {
    await expect(engine.readMetadata(document)).rejects.toMatchObject({ refusal });
  });
});

describe("a certificate", () => {
  it("tells until when it holds, and is refused when it is none", async () => {
    const { sp } = await testKeys();
    expect(await engine.readCertificate(certificatePem(sp.certificate))).toMatchObject({ fingerprint: sp.fingerprint });
    expect(Date.parse(sp.notAfter)).toBe(NOW + 365 * 86_400_000);
    for (const text of ["", "AAAA", "-----BEGIN CERTIFICATE-----", sp.certificate.slice(0, 200)])
      await expect(engine.readCertificate(text)).rejects.toMatchObject({ refusal: "certificate_invalid" });
  });
});
