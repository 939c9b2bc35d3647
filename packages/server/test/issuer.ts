import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "@reeve/testkit/postgres";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { inject, onTestFinished } from "vitest";

type Clients = Readonly<Record<string, object>>;

/** The `oidc-provider` package as a process, whose clients get JWTs with their claims. It can be stopped, and get another key. */
export class Issuer {
  #child: ChildProcess | undefined;
  #key!: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];

  private constructor(
    readonly port: number,
    readonly audience: string,
    readonly clients: Clients,
  ) {}

  /** It ends with the test, unless a suite keeps it and stops it itself. */
  static async at(audience: string, clients: Clients, keeping: "test" | "suite" = "test"): Promise<Issuer> {
    const issuer = new Issuer(await freePort(), audience, clients);
    if (keeping === "test") onTestFinished(() => issuer.stop());
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it with a new key. */
  async start(): Promise<this> {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    this.#key = privateKey;
    const keys = [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: `key ${Math.random()}` }];
    const clients = Object.fromEntries(
      Object.entries(this.clients).map(([id, claims]) => [id, { secret: "of a test", claims }]),
    );
    const setting = { port: this.port, audience: this.audience, clients, keys };
    const file = inject("programs")["packages/core/test/helpers/issuer-process.ts"];
    this.#child = spawn(process.execPath, [file, JSON.stringify(setting)], { stdio: ["ignore", "pipe", "inherit"] });
    await once(this.#child.stdout as NonNullable<ChildProcess["stdout"]>, "data");
    return this;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.kill("SIGKILL")) await once(child, "exit");
  }

  /** A token that the issuer itself gives. */
  async tokenOf(client: string): Promise<string> {
    const answer = await fetch(`${this.url}/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials" }),
      headers: { authorization: `Basic ${Buffer.from(`${client}:of a test`).toString("base64")}` },
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  /** A token with its key and these claims, which it would not give. */
  async forge(claims: JWTPayload): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const { kid } = (await this.publicKeys())[0] as { kid: string };
    return new SignJWT({ iss: this.url, aud: this.audience, iat: now, exp: now + 60, ...claims })
      .setProtectedHeader({ alg: "RS256", kid })
      .sign(this.#key);
  }

  async publicKeys(): Promise<readonly object[]> {
    return ((await (await fetch(`${this.url}/jwks`)).json()) as { keys: object[] }).keys;
  }
}
