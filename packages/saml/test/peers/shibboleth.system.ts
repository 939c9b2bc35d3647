import { realSystem } from "@reeve/testkit/programs";

export const shibboleth = realSystem({
  name: "Apache with mod_shib (Shibboleth)",
  kind: "SAML applications",
  source: { debian: "libapache2-mod-shib", version: "3.4.1" },
  tests: ["packages/saml/test/peers/shibboleth.test.ts"],
  tried: ["accepts our metadata, and signs somebody on with an encrypted assertion, and out from server to server"],
  mustSet: [],
  unknown: [],
});
