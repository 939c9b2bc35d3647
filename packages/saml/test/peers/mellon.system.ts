import { realSystem } from "@reeve/testkit/programs";

export const mellon = realSystem({
  name: "Apache with mod_auth_mellon",
  kind: "SAML applications",
  source: { debian: "libapache2-mod-auth-mellon", version: "0.18.1" },
  tests: ["packages/saml/test/peers/mellon.test.ts"],
  tried: [
    "signs somebody on, and logs them out",
    "logs somebody out from server to server when the application is taken away",
  ],
  mustSet: ["Of Reeve: `sloSoapUrl`, since its metadata do not name the endpoint from server to server."],
  unknown: [],
});
