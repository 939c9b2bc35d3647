import { randomUUID } from "node:crypto";
import type { SamlMessage } from "@reeve/core";
import { SAML_REFUSALS, SamlError } from "@reeve/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engine, NOW, testKeys } from "./support/bench.js";
import { hostileMessages } from "./support/hostile.js";
import {
  at,
  expectation,
  KINDS,
  type Kind,
  posted,
  redirected,
  signedMessage,
  signedQuery,
  xmlOf,
} from "./support/messages.js";

async function read(kind: Kind, message: SamlMessage, more: Parameters<typeof expectation>[1] = {}) {
  const expected = await expectation(kind, more);
  return kind === "AuthnRequest" ? engine.readAuthnRequest(message, expected) : engine.readLogout(message, expected);
}

const hostile = await hostileMessages();

describe("a hostile message", () => {
  it("comes in more than 206 forms, each of its own", () => {
    expect(new Set(hostile.map(([, , message]) => JSON.stringify(message))).size).toBeGreaterThanOrEqual(206);
    expect(new Set(hostile.map(([name]) => name)).size).toBe(hostile.length);
  });

  it.each(hostile)("is refused: %s", async (_name, kind, message, refusal) => {
    await expect(read(kind, message)).rejects.toMatchObject({ name: "SamlError", refusal });
  });

  it("is taken for signed by no application, not even by one that need not sign", async () => {
    const asked = hostile.filter(([, kind]) => kind === "AuthnRequest");
    const answers = await Promise.allSettled(
      asked.map(([, kind, message]) => read(kind, message, { signedRequests: false })),
    );
    const taken = answers.flatMap((answer, at) =>
      answer.status === "fulfilled" ? [[asked[at]?.[0], answer.value.signed]] : [],
    );
    // A sound signature is one, although the message does not say where it is sent.
    const sound = "AuthnRequest: the destination null";
    expect(taken.filter(([name, signed]) => signed && name !== sound)).toEqual([]);
    // Those with a signature that nothing can verify, and the one whose signature was taken away.
    expect(taken.length).toBeGreaterThan(8);
    expect(taken.map(([name]) => name)).toContain("AuthnRequest: no signature at all");
  });

  it("is refused whichever octet of what is signed has changed", async () => {
    const kind = "LogoutRequest";
    const { fields } = (await signedMessage(kind, "post")) as { fields: Record<string, string> };
    const sound = Buffer.from(fields.SAMLRequest as string, "base64").toString();
    const replacements = fc.tuple(fc.nat(sound.length - 1), fc.string({ minLength: 1, maxLength: 1 }));
    await fc.assert(
      fc.asyncProperty(replacements, async ([index, character]) => {
        const changed = sound.slice(0, index) + character + sound.slice(index + 1);
        const answer = await read(kind, posted(kind, changed)).catch((error: unknown) => error);
        // The certificate in the document proves nothing, so it may change.
        if (!SamlError.is(answer))
          expect(answer).toMatchObject({ id: "_message", nameId: "ada@acme.example", sessionIndexes: ["_session"] });
        else expect(Object.keys(SAML_REFUSALS)).toContain(answer.refusal);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a sound message", () => {
  it.each(KINDS.flatMap((kind) => (["redirect", "post"] as const).map((binding) => [kind, binding] as const)))(
    "is read: %s by %s",
    async (kind, binding) => {
      expect(await engine.peek(await signedMessage(kind, binding))).toEqual({
        kind,
        issuer: "https://sp.example/metadata",
      });
      expect(await read(kind, await signedMessage(kind, binding))).toMatchObject({
        id: "_message",
        relayState: "state",
        signed: true,
      });
    },
  );

  it("is read at the very edges of its time, and not beyond", async () => {
    const message = async (offset: number) =>
      read(
        "AuthnRequest",
        await signedMessage("AuthnRequest", "redirect", { attributes: { IssueInstant: at(offset) } }),
      );
    expect((await message(60_000)).id).toBe("_message");
    expect((await message(-6 * 60_000 + 1)).id).toBe("_message");
    await expect(message(60_001)).rejects.toMatchObject({ refusal: "not_in_time" });
    await expect(message(-6 * 60_000)).rejects.toMatchObject({ refusal: "not_in_time" });
  });

  it("is read up to 64 KiB, however small its deflated form is, and not beyond", async () => {
    const { sp } = await testKeys();
    const filled = (length: number) => xmlOf("AuthnRequest", { attributes: { Consent: "x".repeat(length) } });
    const most = 64 * 1024 - filled(0).length;
    const message = (length: number): SamlMessage => ({
      binding: "redirect",
      query: signedQuery("AuthnRequest", filled(length), sp),
    });
    expect(await read("AuthnRequest", message(most))).toMatchObject({ id: "_message" });
    await expect(read("AuthnRequest", message(most + 1))).rejects.toMatchObject({ refusal: "document_too_large" });
    // The largest that an application has reason to send: a logout of as many sessions as are taken.
    const more = Array.from({ length: 49 }, () => `<samlp:SessionIndex>_${randomUUID()}</samlp:SessionIndex>`).join("");
    const logout = await signedMessage("LogoutRequest", "redirect", { more });
    expect(await read("LogoutRequest", logout)).toMatchObject({ signed: true });
  });

  it("may have its parameters in any order, since their order is not signed", async () => {
    const { query } = (await signedMessage("AuthnRequest", "redirect")) as { query: string };
    const turned = query.split("&").reverse().join("&");
    expect(await read("AuthnRequest", { binding: "redirect", query: turned })).toMatchObject({ signed: true });
  });

  it("is read with either of two certificates", async () => {
    const { sp, other } = await testKeys();
    const certificates = [other.certificate, sp.certificate];
    for (const binding of ["redirect", "post"] as const)
      expect(
        await read("LogoutRequest", await signedMessage("LogoutRequest", binding), { certificates }),
      ).toMatchObject({ signed: true });
  });

  it("may be unsigned if it asks to sign on and the application need not sign, whatever its certificates are for", async () => {
    const { sp } = await testKeys();
    for (const certificates of [[], [sp.certificate]]) {
      const more = { certificates, signedRequests: false };
      for (const message of [redirected, posted].map((how) => how("AuthnRequest", xmlOf("AuthnRequest"))))
        expect(await read("AuthnRequest", message, more)).toMatchObject({ signed: false });
      for (const kind of ["LogoutRequest", "LogoutResponse"] as const)
        await expect(read(kind, redirected(kind, xmlOf(kind)), more)).rejects.toMatchObject({
          refusal: "signature_missing",
        });
    }
  });

  it.each(["redirect", "post"] as const)(
    "counts as unsigned if nothing is there to verify it with, and is refused where it must be signed: %s",
    async (binding) => {
      const message = await signedMessage("AuthnRequest", binding);
      const certificates: string[] = [];
      expect(await read("AuthnRequest", message, { certificates, signedRequests: false })).toMatchObject({
        signed: false,
      });
      const refusal = "signature_unverifiable";
      await expect(read("AuthnRequest", message, { certificates })).rejects.toMatchObject({ refusal });
      const logout = await signedMessage("LogoutRequest", binding);
      const need = { certificates, signedRequests: false };
      await expect(read("LogoutRequest", logout, need)).rejects.toMatchObject({ refusal });
    },
  );

  it("is verified where it is signed, also if it need not be", async () => {
    const { other } = await testKeys();
    for (const binding of ["redirect", "post"] as const) {
      const message = await signedMessage("AuthnRequest", binding);
      expect(await read("AuthnRequest", message, { signedRequests: false })).toMatchObject({ signed: true });
      const wrong = { certificates: [other.certificate], signedRequests: false };
      await expect(read("AuthnRequest", message, wrong)).rejects.toMatchObject({ refusal: "signature_invalid" });
    }
  });

  it("tells what it asks for", async () => {
    const content =
      '<samlp:NameIDPolicy Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" AllowCreate="true"/>';
    const attributes = { ForceAuthn: "true", IsPassive: "0", AssertionConsumerServiceURL: "https://sp.example/acs" };
    expect(await read("AuthnRequest", await signedMessage("AuthnRequest", "post", { content, attributes }))).toEqual({
      id: "_message",
      relayState: "state",
      signed: true,
      acsUrl: "https://sp.example/acs",
      acsIndex: null,
      subject: null,
      forceAuthn: true,
      isPassive: false,
      takes: { password: true, unspecified: true },
      nameIdFormat: "persistent",
    });
    expect(
      await read(
        "LogoutRequest",
        await signedMessage("LogoutRequest", "post", { attributes: { NotOnOrAfter: at(1) } }),
      ),
    ).toMatchObject({
      nameId: "ada@acme.example",
      sessionIndexes: ["_session"],
    });
    expect(NOW).toBeGreaterThan(0);
  });
});
