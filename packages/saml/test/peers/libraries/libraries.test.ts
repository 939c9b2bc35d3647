import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SamlKey } from "@reeve/core";
import { type Program, program } from "@reeve/testkit/programs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificatePem } from "../../../src/signature/algorithms.js";
import { engine } from "../../support/bench.js";
import { peerFolder } from "../apache.js";
import { type IdentityProvider, startIdentityProvider } from "../identity-provider.js";
import { type Library, refusalOf, signedOn, spawned } from "./library.js";
import { nodeSaml, ofSamlify, passportSaml, saml2Js } from "./node-libraries.js";
import { LIBRARIES, type LibraryFacts } from "./table.js";

const PYTHON = "/usr/lib/python3/dist-packages";
const GEMS = "/usr/share/rubygems-integration/all/specifications";
const folder = peerFolder();
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const python = (name: string) => () => spawned("/usr/bin/python3", here(name), folder.path);
const ofNpm: Program = { path: "npm", note: "" };

/** How each is opened, and the program that it needs. */
const OPENED: Readonly<Record<keyof typeof LIBRARIES, readonly [() => Library, Program]>> = {
  nodeSaml: [nodeSaml, ofNpm],
  passportSaml: [passportSaml, ofNpm],
  samlify: [ofSamlify, ofNpm],
  saml2Js: [saml2Js, ofNpm],
  python3Saml: [python("python3_saml.py"), program("python3_saml-1.12.0.egg-info", "python3-onelogin-saml2", PYTHON)],
  pysaml2: [python("pysaml2.py"), program("pysaml2-7.0.1.egg-info", "python3-pysaml2", PYTHON)],
  rubySaml: [
    () => spawned("ruby", here("ruby_saml.rb"), folder.path),
    program("ruby-saml-1.13.0.gemspec", "ruby-saml", GEMS),
  ],
};

const ACS = "http://127.0.0.1:9/acs";
let idp: IdentityProvider;
let key: SamlKey;
beforeAll(async () => {
  idp = await startIdentityProvider();
  key = await engine.newKey("service provider", Date.now(), 30);
});
afterAll(async () => {
  await idp?.stop();
  folder.remove();
});

const guide = readFileSync(new URL("../../../../../docs/guides/saml-libraries.md", import.meta.url), "utf8");

describe.each(Object.entries(OPENED))("an application of %s", (id, [open, { path, note }]) => {
  const facts: LibraryFacts = LIBRARIES[id as keyof typeof LIBRARIES];
  const { name, registration, signing, sha256, attribute } = facts;

  describe.skipIf(path === undefined)(`${name}${note}`, () => {
    let library: Library;
    beforeAll(() => {
      library = open();
      return () => library.stop?.();
    });

    /** Sets the library up, registers it by the metadata that it makes, and gives it those of Reeve for it. */
    async function registered(security: LibraryFacts["signing"], hasKey: boolean, more: object = {}) {
      const pem = hasKey ? { key: key.privateKey, certificate: certificatePem(key.certificate) } : {};
      const metadata = await library.begin({ acs: ACS, key: null, certificate: null, ...pem, security });
      const app = await idp.register(metadata, { attributeMapping: [], ...registration, ...more });
      await library.trust(await idp.metadata(app.id));
      return app;
    }

    it("signs somebody on by its own metadata", async () => {
      const { id: appId } = await registered({}, facts.needsKey ?? false);
      const { acs, fields } = await signedOn(idp, await library.request("/where"));
      expect(acs).toBe(ACS);
      const { nameId, attributes } = await library.accept(fields);
      const { username } = idp.scene.owner;
      expect(nameId).toBe(username);
      if (attribute) expect([attributes[attribute]].flat()).toEqual([username]);
      await idp.remove(appId);
    });

    it("is asked to sign where its metadata say that it does", async () => {
      const { id: appId, signedRequests } = await registered(signing, true);
      const isAsked = facts.source !== LIBRARIES.saml2Js.source;
      expect(signedRequests).toBe(isAsked);
      const url = await library.request("/where");
      expect(new URL(url).searchParams.get("SigAlg")).toBe("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");
      expect((await library.accept((await signedOn(idp, url)).fields)).nameId).toBe(idp.scene.owner.username);
      const without = new URL(await library.request("/where"));
      for (const parameter of ["SigAlg", "Signature"]) without.searchParams.delete(parameter);
      expect(await refusalOf(without.href)).toBe(isAsked ? "signature_missing" : undefined);
      await idp.remove(appId);
    });

    it.skipIf(sha256.length === 0)("is refused while it signs with SHA-1", async () => {
      const weak = Object.fromEntries(Object.entries(signing).filter(([setting]) => !sha256.includes(setting)));
      const { id: appId } = await registered(weak, true);
      expect(await refusalOf(await library.request("/where"))).toBe("algorithm_not_allowed");
      await idp.remove(appId);
    });

    it("has a section in the guide that names what must be set", () => {
      const section = guide.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? "";
      for (const setting of [...Object.keys(signing), ...Object.keys(registration)]) expect(section).toContain(setting);
    });
  });
});
