import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { onTestFinished } from "vitest";

/** An issuer with changeable keys, on a real server that counts requests. */
export class Issuer {
  asked = 0;
  broken = false;
  keys: JWK[] = [];
  /** Beside or in place of the usual members of the metadata. */
  metadata: object = {};
  #signing!: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  readonly #server = createServer((request, response) => {
    this.asked += 1;
    const discovery = request.url === "/.well-known/openid-configuration";
    const body = discovery ? { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.metadata } : { keys: this.keys };
    response.statusCode = this.broken ? 500 : 200;
    response.end(JSON.stringify(body));
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<Issuer> {
    const issuer = new Issuer();
    issuer.#server.listen(0, "127.0.0.1");
    await once(issuer.#server, "listening");
    onTestFinished(() => void issuer.#server.close().closeAllConnections());
    await issuer.renewKey("first");
    return issuer;
  }

  async renewKey(kid: string): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    this.keys = [{ ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" }];
    this.#signing = privateKey;
  }

  sign(payload: JWTPayload, header: object = {}): Promise<string> {
    const kid = this.keys[0]?.kid;
    return new SignJWT(payload)
      .setProtectedHeader({ alg: "ES256", kid, ...header } as { alg: string })
      .sign(this.#signing);
  }
}
