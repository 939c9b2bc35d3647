import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { onTestFinished } from "vitest";

/** What a code stands for. */
interface Granted {
  readonly claims: JWTPayload;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

/** An OpenID provider that does what a test wants, on a real server. Its codes can be redeemed any number of times. */
export class ScriptedProvider {
  /** Seconds since the epoch, for its tokens. */
  now = () => Math.floor(Date.now() / 1_000);
  /** In place of an answer: a status, or no answer at all. */
  fault: number | "silent" | undefined;
  metadata: object = {};
  userInfo: JWTPayload | undefined;
  /** The credentials that the client has shown at the token endpoint. */
  shown: (string | undefined)[] = [];
  readonly #codes = new Map<string, Granted>();
  #key!: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  #jwk!: JWK;
  readonly #server = createServer((request, response) => {
    const { fault } = this;
    if (fault === "silent") return;
    void this.#answer(request).then(({ status, body }) => {
      response.writeHead(fault ?? status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });

  static async start(): Promise<ScriptedProvider> {
    const provider = new ScriptedProvider();
    provider.#server.listen(0, "127.0.0.1");
    await once(provider.#server, "listening");
    onTestFinished(() => void provider.#server.close().closeAllConnections());
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    provider.#key = privateKey;
    provider.#jwk = { ...(await exportJWK(publicKey)), kid: "first", alg: "ES256", use: "sig" };
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Signs somebody in who was sent to `location`. Returns the query that the browser comes back with. */
  grant(location: string, claims: JWTPayload): URLSearchParams {
    const asked = new URL(location).searchParams;
    const code = `zqcode-${randomBytes(9).toString("base64url")}`;
    const [challenge, redirectUri] = [asked.get("code_challenge"), asked.get("redirect_uri")];
    this.#codes.set(code, { claims: { nonce: asked.get("nonce"), ...claims }, challenge, redirectUri });
    return new URLSearchParams({ code, state: asked.get("state") ?? "", iss: this.url });
  }

  async #answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: object }> {
    const path = new URL(request.url ?? "/", this.url).pathname;
    if (path === "/.well-known/openid-configuration") return { status: 200, body: this.#described() };
    if (path === "/keys") return { status: 200, body: { keys: [this.#jwk] } };
    if (path === "/me") return { status: 200, body: this.userInfo ?? {} };
    return path === "/token" ? this.#redeem(request) : { status: 404, body: {} };
  }

  #described(): object {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ["ES256"],
      ...(this.userInfo ? { userinfo_endpoint: `${this.url}/me` } : {}),
      ...this.metadata,
    };
  }

  async #redeem(request: IncomingMessage): Promise<{ readonly status: number; readonly body: object }> {
    const form = new URLSearchParams(await text(request));
    this.shown.push(request.headers.authorization ?? form.get("client_secret") ?? undefined);
    const granted = this.#codes.get(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!granted || granted.challenge !== challenge || granted.redirectUri !== form.get("redirect_uri"))
      return { status: 400, body: { error: "invalid_grant" } };
    const iat = this.now();
    const idToken = await new SignJWT({ iss: this.url, aud: "reeve", iat, exp: iat + 300, ...granted.claims })
      .setProtectedHeader({ alg: "ES256", kid: "first" })
      .sign(this.#key);
    return { status: 200, body: { access_token: "of nobody", token_type: "Bearer", id_token: idToken } };
  }
}
