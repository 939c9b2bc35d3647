import { realSystem } from "@reeve/testkit/programs";
import { LIBRARIES, type LibraryFacts } from "./table.js";

const declared = ({ name, source, mustSet, sha256 }: LibraryFacts) =>
  realSystem({
    name,
    kind: "SAML libraries",
    source,
    tests: ["packages/saml/test/peers/libraries/libraries.test.ts"],
    tried: [
      "signs somebody on by its own metadata",
      "is asked to sign where its metadata say that it does",
      ...(sha256.length > 0 ? ["is refused while it signs with SHA-1"] : []),
    ],
    mustSet,
    unknown: [],
  });

export const nodeSaml = declared(LIBRARIES.nodeSaml);
export const passportSaml = declared(LIBRARIES.passportSaml);
export const samlify = declared(LIBRARIES.samlify);
export const saml2Js = declared(LIBRARIES.saml2Js);
export const python3Saml = declared(LIBRARIES.python3Saml);
export const pysaml2 = declared(LIBRARIES.pysaml2);
export const rubySaml = declared(LIBRARIES.rubySaml);
