import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "@reeve/testkit/programs";
import { Browser } from "@reeve/testkit/saml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificatePem } from "../../src/signature/algorithms.js";
import { testKeys } from "../support/bench.js";
import { answers, ended, handOver, peerFolder, startApache } from "./apache.js";
import { freePort, type IdentityProvider, startIdentityProvider } from "./identity-provider.js";

const shibboleth = program("mod_shib.so", "libapache2-mod-shib", "/usr/lib/apache2/modules");
const SHIPPED = "/etc/shibboleth";

describe.skipIf(shibboleth.path === undefined)(`Shibboleth SP${shibboleth.note}`, () => {
  const folder = peerFolder();
  const file = (name: string) => join(folder.path, name);
  let idp: IdentityProvider;
  let apache: { stop(): Promise<void> };
  let daemon: ChildProcess;
  let at: string;
  let app: { readonly id: string };

  beforeAll(async () => {
    idp = await startIdentityProvider();
    const port = await freePort();
    at = `http://127.0.0.1:${port}`;
    const shipped = readdirSync(SHIPPED).filter((name) =>
      /[.](?:logger|html)$|^(?:attribute-policy|protocols|security-policy)[.]xml$/.test(name),
    );
    for (const name of shipped) copyFileSync(join(SHIPPED, name), file(name));
    for (const name of ["shibd.logger", "native.logger"])
      writeFileSync(
        file(name),
        readFileSync(file(name), "utf8").replaceAll(/\/var\/log\/(?:shibboleth|apache2)/g, folder.path),
      );
    const { sp } = await testKeys();
    writeFileSync(file("sp.key"), sp.privateKey);
    writeFileSync(file("sp.crt"), certificatePem(sp.certificate));
    const metadata = await idp.metadata();
    writeFileSync(file("idp.xml"), metadata);
    const [, entityId = ""] = /entityID="([^"]+)"/.exec(metadata) ?? [];
    writeFileSync(
      file("attribute-map.xml"),
      '<Attributes xmlns="urn:mace:shibboleth:2.0:attribute-map"><Attribute name="mail" nameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic" id="mail"/></Attributes>',
    );
    writeFileSync(file("shibboleth2.xml"), configuration(folder.path, entityId));
    handOver(folder.path);
    daemon = spawn("shibd", ["-F", "-c", file("shibboleth2.xml")], {
      stdio: "ignore",
      env: { ...process.env, SHIBSP_CONFIG: file("shibboleth2.xml") },
    });
    while (!existsSync(file("shibd.sock"))) await new Promise((resolve) => setTimeout(resolve, 50));
    apache = await startApache(folder.path, port, {
      module: "shib",
      page: 'mail=<!--#echo var="mail" -->',
      directives: `ShibConfig ${file("shibboleth2.xml")}
<Location /Shibboleth.sso>
  SetHandler shib-handler
</Location>
<Location /secret>
  AuthType shibboleth
  ShibRequestSetting requireSession 1
  Require shib-session
</Location>`,
    });
    await answers(`${at}/Shibboleth.sso/Metadata`);
    app = await idp.register(await (await fetch(`${at}/Shibboleth.sso/Metadata`)).text(), { encrypted: true });
  });
  afterAll(async () => {
    await apache?.stop();
    if (daemon) await ended(daemon);
    await idp?.stop();
    folder.remove();
  });

  it("accepts our metadata, and signs somebody on with an encrypted assertion, and out from server to server", async () => {
    const browser = new Browser();
    const { username, password } = idp.scene.owner;
    const page = await browser.open(`${at}/secret/`);
    expect(page.html).toContain("Sign in");
    const secret = await browser.submit(page, { username, password });
    expect(secret).toMatchObject({ url: `${at}/secret/`, status: 200 });
    expect(secret.html).toContain(`mail=${username}`);
    expect(await idp.health()).toMatchObject([{ signOns: 1, failures: 0 }]);
    const [ended] = await idp.takeAway(app.id);
    expect(ended).toMatchObject({ channel: "server", confirmed: true, residualAccess: "none", failure: null });
    expect((await browser.open(`${at}/secret/`)).html).toContain("You may not use this application");
  });
});

function configuration(folder: string, entityId: string): string {
  return `<SPConfig xmlns="urn:mace:shibboleth:3.0:native:sp:config" clockSkew="180">
 <OutOfProcess logger="${folder}/shibd.logger"/><InProcess logger="${folder}/native.logger"/>
 <UnixListener address="${folder}/shibd.sock"/><StorageService type="Memory" id="mem"/>
 <SessionCache type="StorageService" StorageService="mem" cacheTimeout="3600"/><ReplayCache StorageService="mem"/><ArtifactMap artifactTTL="180"/>
 <RequestMapper type="Native"><RequestMap applicationId="default"/></RequestMapper>
 <ApplicationDefaults entityID="urn:shib:sp" REMOTE_USER="mail">
  <Sessions lifetime="28800" timeout="3600" relayState="ss:mem" checkAddress="false" handlerSSL="false" cookieProps="http">
   <SSO entityID="${entityId.replaceAll("&", "&amp;")}">SAML2</SSO><Logout>SAML2 Local</Logout>
   <Handler type="MetadataGenerator" Location="/Metadata" signing="false"/></Sessions>
  <Errors supportContact="x@x" helpLocation="/" styleSheet="/"/>
  <MetadataProvider type="XML" validate="true" path="${folder}/idp.xml"/><AttributeExtractor type="XML" validate="true" path="${folder}/attribute-map.xml"/>
  <AttributeFilter type="XML" validate="true" path="${folder}/attribute-policy.xml"/>
  <CredentialResolver type="File" key="${folder}/sp.key" certificate="${folder}/sp.crt"/></ApplicationDefaults>
 <SecurityPolicyProvider type="XML" validate="true" path="${folder}/security-policy.xml"/><ProtocolProvider type="XML" validate="true" reloadChanges="false" path="${folder}/protocols.xml"/>
</SPConfig>`;
}
