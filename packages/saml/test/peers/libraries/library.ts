import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { IdentityProvider } from "../identity-provider.js";

/** What a service provider learns of somebody. */
export interface Accepted {
  readonly nameId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** How a service provider is set up. */
export interface SetUp {
  readonly acs: string;
  /** PEM. Without one it neither signs nor decrypts. */
  readonly key: string | null;
  readonly certificate: string | null;
  /** Settings by the names of the library. */
  readonly security: Readonly<Record<string, unknown>>;
}

/** A library that makes a service provider, in its own words. */
export interface Library {
  /** Sets it up. Returns its metadata. */
  begin(given: SetUp): Promise<string>;
  /** Takes the metadata of the identity provider. */
  trust(metadata: string): Promise<unknown>;
  /** The address that begins a sign-on. */
  request(relayState: string): Promise<string>;
  accept(fields: Readonly<Record<string, string>>): Promise<Accepted>;
  stop?(): void;
}

/** A library of another language, as a process that answers lines of JSON. */
export function spawned(command: string, program: string, cwd: string): Library {
  const child = spawn(command, [program], { cwd, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async <T>(step: string, given: object): Promise<T> => {
    child.stdin.write(`${JSON.stringify({ do: step, with: given })}\n`);
    const { value: line } = await lines.next();
    if (line === undefined) throw new Error(`${program} has ended`);
    const { value, error } = JSON.parse(line) as { value: T; error?: string };
    if (error !== undefined) throw new Error(error);
    return value;
  };
  return {
    begin: (given) => ask("begin", given),
    trust: (metadata) => ask("trust", { metadata }),
    request: (relayState) => ask("request", { relayState }),
    accept: (fields) => ask("accept", { fields }),
    stop: () => void child.kill(),
  };
}

const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
const field = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replaceAll("&amp;", "&");

/** Why a request to sign on is refused; `undefined` where it is taken. */
export async function refusalOf(url: string): Promise<string | undefined> {
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  return /<code>saml_invalid: (\w+)<\/code>/.exec(page)?.[1];
}

/** What an application is sent for somebody who signs in on the page: the address, and the fields of the form. */
export async function signedOn(idp: IdentityProvider, url: string) {
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  const request = field(page, "request");
  if (request === undefined) throw new Error(page.replace(/<style>.*?<\/style>/s, "").slice(0, 2_000));
  const { username, password } = idp.scene.owner;
  const body = new URLSearchParams({ username, password, request });
  const answer = await (await fetch(`${idp.baseUrl}/saml/sign-in`, { method: "POST", headers: FORM, body })).text();
  const [, acs] = /action="([^"]+)"/.exec(answer) ?? [];
  const names = ["SAMLResponse", "RelayState"] as const;
  const fields = Object.fromEntries(names.map((name) => [name, field(answer, name) ?? ""]));
  return { acs, fields };
}
