import { realSystem } from "@reeve/testkit/programs";

export const simplesamlphp = realSystem({
  name: "SimpleSAMLphp",
  kind: "SAML applications",
  source: { debian: "simplesamlphp", version: "1.19.7" },
  tests: ["packages/saml/test/peers/simplesamlphp.test.ts"],
  tried: [
    "signs somebody on by its own metadata, and logs them out",
    "ends a session that it is told of from server to server, although it cannot say so",
  ],
  mustSet: [],
  unknown: ["It ends the session that it is told of from server to server, and answers nothing that says so."],
});
