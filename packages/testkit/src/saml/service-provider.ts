import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Profile, SAML, ValidateInResponseTo } from "@node-saml/node-saml";
import { samlEngine } from "@reeve/saml";
import { asPem, certificateIn, openEnvelope, sealEnvelope } from "./documents.js";

/** A web application that people sign on to, built with node-saml. */
export interface ServiceProvider {
  /** Its page, which needs a sign-on. `/logout` below it logs out. */
  readonly url: string;
  /** What an identity provider registers it by. */
  readonly registration: Readonly<Record<string, unknown>>;
  /** Takes an identity provider by its metadata. */
  trust(metadata: string): void;
  /** How many are signed on. */
  readonly sessions: number;
  stop(): Promise<void>;
}

/** What a request is answered with. */
interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const to = (location: string, headers: Reply["headers"] = {}): Reply => ({
  status: 303,
  headers: { ...headers, location },
});

/** Starts one on loopback with a key of its own. */
export async function startServiceProvider(): Promise<ServiceProvider> {
  const { privateKey, certificate } = await samlEngine().newKey("service provider", Date.now(), 30);
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => send(response, { status: 500, body: error.message }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sessions = new Map<string, Profile>();
  let saml: SAML | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", url);
    const pages: Readonly<Record<string, () => Promise<Reply>>> = {
      "GET /": () => home(tokenIn(request)),
      "POST /acs": async () => signOn(new URLSearchParams(await read(request))),
      "GET /logout": () => logOut(tokenIn(request)),
      "GET /slo": () => logoutMessage(Object.fromEntries(searchParams), search.slice(1)),
      "POST /soap": async () => logoutEnvelope(await read(request)),
      "GET /bye": async () => ({ body: "Signed off." }),
    };
    const page = pages[`${request.method} ${pathname}`];
    send(response, page ? await page() : { status: 404 });
  }

  const provider = (): SAML => {
    if (!saml) throw new Error("no identity provider is known");
    return saml;
  };

  async function home(token: string): Promise<Reply> {
    const person = sessions.get(token);
    if (person) return { body: `Signed on as ${person.nameID}.` };
    return to(await provider().getAuthorizeUrlAsync("", undefined, {}));
  }

  async function signOn(form: URLSearchParams): Promise<Reply> {
    const { profile } = await provider().validatePostResponseAsync({ SAMLResponse: form.get("SAMLResponse") ?? "" });
    if (!profile) throw new Error("the response names nobody");
    const token = randomBytes(16).toString("hex");
    sessions.set(token, profile);
    return to("/", { "set-cookie": `session=${token}; Path=/; HttpOnly` });
  }

  async function logOut(token: string): Promise<Reply> {
    const person = sessions.get(token);
    sessions.delete(token);
    return person ? to(await provider().getLogoutUrlAsync(person, "", {})) : to("/bye");
  }

  async function logoutMessage(query: Readonly<Record<string, string>>, raw: string): Promise<Reply> {
    const { profile } = await provider().validateRedirectAsync({ ...query }, raw);
    if (query.SAMLRequest === undefined || !profile) return to("/bye");
    const isEnded = end(profile);
    return to(await provider().getLogoutResponseUrlAsync(profile, query.RelayState ?? "", {}, isEnded));
  }

  async function logoutEnvelope(body: string): Promise<Reply> {
    const SAMLRequest = Buffer.from(openEnvelope(body)).toString("base64");
    const { profile } = await provider().validatePostRequestAsync({ SAMLRequest });
    const document = provider()._generateLogoutResponse(profile, end(profile));
    return { headers: { "content-type": "text/xml" }, body: sealEnvelope(document, { privateKey, certificate }) };
  }

  /** Ends the session that a request names. */
  function end({ nameID, sessionIndex }: Profile): boolean {
    const found = [...sessions].find(([, one]) => one.nameID === nameID && one.sessionIndex === sessionIndex);
    return found !== undefined && sessions.delete(found[0]);
  }

  return {
    url,
    registration: {
      entityId: `${url}/metadata`,
      acsUrls: [`${url}/acs`],
      sloUrl: `${url}/slo`,
      sloBinding: "redirect",
      sloSoapUrl: `${url}/soap`,
      certificates: [certificate],
    },
    get sessions() {
      return sessions.size;
    },
    trust(metadata) {
      const [, idpIssuer = ""] = /entityID="([^"]+)"/.exec(metadata) ?? [];
      const endpoint = (name: string) => new RegExp(`<md:${name} [^>]*Location="([^"]+)"`).exec(metadata)?.[1] ?? "";
      saml = new SAML({
        issuer: `${url}/metadata`,
        audience: `${url}/metadata`,
        callbackUrl: `${url}/acs`,
        logoutCallbackUrl: `${url}/slo`,
        idpIssuer,
        idpCert: asPem(certificateIn(metadata)),
        entryPoint: endpoint("SingleSignOnService"),
        logoutUrl: endpoint("SingleLogoutService"),
        privateKey,
        signatureAlgorithm: "sha256",
        digestAlgorithm: "sha256",
        wantAssertionsSigned: true,
        wantAuthnResponseSigned: true,
        validateInResponseTo: ValidateInResponseTo.ifPresent,
        disableRequestedAuthnContext: true,
      });
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const tokenIn = ({ headers }: IncomingMessage): string => /session=([0-9a-f]+)/.exec(headers.cookie ?? "")?.[1] ?? "";

async function read(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function send(response: ServerResponse, { status = 200, headers = {}, body = "" }: Reply): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(body);
}
