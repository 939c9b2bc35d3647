import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "@reeve/testkit/programs";
import { Browser } from "@reeve/testkit/saml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificatePem } from "../../src/signature/algorithms.js";
import { testKeys } from "../support/bench.js";
import { answers, ended, peerFolder } from "./apache.js";
import { freePort, type IdentityProvider, startIdentityProvider } from "./identity-provider.js";

const SHIPPED = "/usr/share/simplesamlphp";
const php = program("php", "php-cli");
const shipped = program("module.php", "simplesamlphp", `${SHIPPED}/www`);
const dom = program("dom.so", "php-xml", "/usr/lib/php/20220829");
const database = program("pdo_sqlite.so", "php-sqlite3", "/usr/lib/php/20220829");
const text = program("mbstring.so", "php-mbstring", "/usr/lib/php/20220829");
const missing = [php, shipped, dom, text, database].find(({ path }) => path === undefined);

describe.skipIf(missing)(`SimpleSAMLphp${missing?.note ?? ""}`, () => {
  const folder = peerFolder();
  const file = (name: string) => join(folder.path, name);
  let idp: IdentityProvider;
  let server: ChildProcess;
  let at: string;
  let app: { readonly id: string };

  beforeAll(async () => {
    idp = await startIdentityProvider();
    const port = await freePort();
    at = `http://127.0.0.1:${port}`;
    const { sp } = await testKeys();
    for (const name of ["metadata", "log", "tmp", "sessions"]) mkdirSync(file(name));
    writeFileSync(file("sp.key"), sp.privateKey);
    writeFileSync(file("sp.crt"), certificatePem(sp.certificate));
    const metadata = await idp.metadata();
    writeFileSync(file("idp.xml"), metadata);
    writeFileSync(file("config.php"), configuration(folder.path, at));
    writeFileSync(file("authsources.php"), sources(/entityID="([^"]+)"/.exec(metadata)?.[1] ?? ""));
    writeFileSync(file("router.php"), ROUTER);
    server = spawn("php", ["-S", `127.0.0.1:${port}`, file("router.php")], {
      stdio: "ignore",
      env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder.path },
    });
    await answers(`${at}/`);
    const own = await fetch(`${at}/module.php/saml/sp/metadata.php/default-sp`);
    app = await idp.register(await own.text());
  });
  afterAll(async () => {
    if (server) await ended(server);
    await idp?.stop();
    folder.remove();
  });

  async function signedOn() {
    const browser = new Browser();
    const { username, password } = idp.scene.owner;
    const page = await browser.open(`${at}/secret`);
    expect(page.html).toContain("Sign in");
    const secret = await browser.submit(page, { username, password });
    expect(secret).toMatchObject({ url: `${at}/secret`, status: 200, html: `mail=${username}` });
    return browser;
  }

  it("signs somebody on by its own metadata, and logs them out", async () => {
    const browser = await signedOn();
    expect(await browser.open(`${at}/logout`)).toMatchObject({ url: `${at}/`, html: "public" });
    expect((await browser.open(`${at}/secret`)).html).toContain("Sign in");
    expect(await idp.health()).toMatchObject([{ signOns: 1, failures: 0 }]);
  });

  it("ends a session that it is told of from server to server, although it cannot say so", async () => {
    const browser = await signedOn();
    const [session] = await idp.takeAway(app.id);
    expect(session).toMatchObject({ channel: "server", confirmed: false, residualAccess: "possible" });
    // It answers with a page of an error: it writes the address for redirects into the answer, which has none.
    expect(session.failure).toBe("document_forbidden");
    expect((await browser.open(`${at}/secret`)).html).toContain("You may not use this application");
  });
});

const configuration = (folder: string, at: string) => `<?php
$config = [
  'baseurlpath' => '${at}/', 'application' => ['baseURL' => '${at}'],
  'certdir' => '${folder}/', 'loggingdir' => '${folder}/log/', 'datadir' => '${folder}/', 'tempdir' => '${folder}/tmp',
  'metadatadir' => '${folder}/metadata/', 'attributenamemapdir' => '/etc/simplesamlphp/attributemap/',
  'secretsalt' => '0123456789abcdef0123456789abcdef', 'auth.adminpassword' => 'the password of a test', 'timezone' => 'UTC',
  'logging.level' => 4, 'logging.handler' => 'file', 'logging.logfile' => 'log.txt', 'logging.processname' => 'ssp',
  'session.cookie.secure' => false, 'session.cookie.samesite' => null, 'session.cookie.name' => 'SimpleSAMLSessionID',
  'session.cookie.lifetime' => 0, 'session.cookie.path' => '/', 'session.cookie.domain' => null,
  'session.authtoken.cookiename' => 'SimpleSAMLAuthToken', 'language.cookie.secure' => false,
  'store.type' => 'sql', 'store.sql.dsn' => 'sqlite:${folder}/store.sqlite3',
  'enable.saml20-idp' => false, 'showerrors' => true, 'errorreporting' => false, 'theme.use' => 'default',
  'language.available' => ['en'], 'language.default' => 'en', 'assets' => ['caching' => ['max_age' => 60, 'etag' => false]],
  'module.enable' => ['core' => true, 'saml' => true],
  'metadata.sources' => [['type' => 'xml', 'file' => '${folder}/idp.xml']],
];
`;

const sources = (entityId: string) => `<?php
$config = ['default-sp' => ['saml:SP', 'entityID' => 'urn:ssp:sp', 'idp' => '${entityId.replaceAll("&amp;", "&")}',
  'privatekey' => 'sp.key', 'certificate' => 'sp.crt', 'sign.logout' => true, 'sign.authnrequest' => true]];
`;

const ROUTER = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (str_starts_with($path, '/module.php/')) {
  $_SERVER['SCRIPT_NAME'] = '/module.php';
  $_SERVER['SCRIPT_FILENAME'] = '${SHIPPED}/www/module.php';
  $_SERVER['PHP_SELF'] = $path;
  $_SERVER['PATH_INFO'] = substr($path, strlen('/module.php'));
  chdir('${SHIPPED}/www');
  require '${SHIPPED}/www/module.php';
  return true;
}
if ($path === '/') { echo 'public'; return true; }
require '${SHIPPED}/lib/_autoload.php';
$as = new SimpleSAML\\Auth\\Simple('default-sp');
if ($path === '/logout') $as->logout('http://' . $_SERVER['HTTP_HOST'] . '/');
$as->requireAuth();
echo 'mail=' . $as->getAttributes()['mail'][0];
`;
