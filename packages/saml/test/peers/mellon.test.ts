import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "@reeve/testkit/programs";
import { Browser } from "@reeve/testkit/saml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { peerFolder, startApache } from "./apache.js";
import { freePort, type IdentityProvider, startIdentityProvider } from "./identity-provider.js";

const mellon = program("mod_auth_mellon.so", "libapache2-mod-auth-mellon", "/usr/lib/apache2/modules");

describe.skipIf(mellon.path === undefined)(`Apache with mod_auth_mellon${mellon.note}`, () => {
  const folder = peerFolder();
  let idp: IdentityProvider;
  let apache: { stop(): Promise<void> };
  let at: string;
  let app: { readonly id: string };

  beforeAll(async () => {
    idp = await startIdentityProvider();
    const port = await freePort();
    at = `http://127.0.0.1:${port}`;
    execFileSync("mellon_create_metadata", ["urn:mellon:sp", `${at}/mellon`], { cwd: folder.path, stdio: "ignore" });
    const file = (name: string) => join(folder.path, name);
    writeFileSync(file("idp.xml"), await idp.metadata());
    app = await idp.register(readFileSync(file("urn_mellon_sp.xml"), "utf8"), { sloSoapUrl: `${at}/mellon/logout` });
    apache = await startApache(folder.path, port, {
      module: "auth_mellon",
      page: 'user=<!--#echo var="REMOTE_USER" --> mail=<!--#echo var="MELLON_mail" -->',
      directives: `<Location />
  MellonEnable "info"
  MellonEndpointPath /mellon
  MellonSPPrivateKeyFile ${file("urn_mellon_sp.key")}
  MellonSPCertFile ${file("urn_mellon_sp.cert")}
  MellonSPMetadataFile ${file("urn_mellon_sp.xml")}
  MellonIdPMetadataFile ${file("idp.xml")}
  MellonUser "NAME_ID"
  MellonSecureCookie Off
</Location>
<Location /secret>
  MellonEnable "auth"
  AuthType "Mellon"
  Require valid-user
</Location>`,
    });
  });
  afterAll(async () => {
    await apache?.stop();
    await idp?.stop();
    folder.remove();
  });

  it("signs somebody on, and logs them out", async () => {
    const browser = new Browser();
    const { username, password } = idp.scene.owner;
    const page = await browser.open(`${at}/secret/`);
    expect(page.html).toContain("Sign in");
    const secret = await browser.submit(page, { username, password });
    expect(secret).toMatchObject({ url: `${at}/secret/`, status: 200 });
    expect(secret.html).toContain(`mail=${username}`);
    const back = await browser.open(`${at}/mellon/logout?ReturnTo=${encodeURIComponent(`${at}/`)}`);
    expect(back).toMatchObject({ url: `${at}/`, status: 200 });
    expect((await browser.open(`${at}/secret/`)).html).toContain("Sign in");
    expect(await idp.health()).toMatchObject([{ signOns: 1, failures: 0 }]);
  });

  it("logs somebody out from server to server when the application is taken away", async () => {
    const browser = new Browser();
    const { username, password } = idp.scene.owner;
    const secret = await browser.submit(await browser.open(`${at}/secret/`), { username, password });
    expect(secret.html).toContain(`mail=${username}`);
    const [ended] = await idp.takeAway(app.id);
    expect(ended).toMatchObject({ channel: "server", confirmed: true, residualAccess: "none", failure: null });
    const after = await browser.open(`${at}/secret/`);
    expect(after.html).toContain("You may not use this application");
  });
});
