import { importJWK, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import type { Backend } from "./backend.js";

/** The caller of a verified token. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string;
  readonly expiresAt: number;
}

type Key = Awaited<ReturnType<typeof importJWK>>;

/** Verifies ES256 tokens with jose, and caches verified ones until they expire. */
export class Verifier {
  readonly #verified = new LRUCache<string, Caller>({ max: 10_000 });

  private constructor(
    private readonly keys: ReadonlyMap<string, Key>,
    private readonly issuer: string,
  ) {}

  static async from(backend: Backend, issuer: string): Promise<Verifier> {
    const keys = new Map<string, Key>();
    for (const { id, publicJwk } of await backend.keys()) keys.set(id, await importJWK(publicJwk, "ES256"));
    return new Verifier(keys, issuer);
  }

  /** The caller of an `Authorization` header; `undefined` when it is invalid. */
  async verify(header: string | undefined): Promise<Caller | undefined> {
    if (!header?.startsWith("Bearer ")) return undefined;
    const token = header.slice(7);
    const known = this.#verified.get(token);
    if (known) return known.expiresAt > Date.now() ? known : undefined;
    const caller = await this.#check(token).catch(() => undefined);
    if (caller) this.#verified.set(token, caller);
    return caller;
  }

  async #check(token: string): Promise<Caller> {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => this.keys.get(kid ?? "") ?? Promise.reject(new Error("no such key")),
      {
        algorithms: ["ES256"],
        issuer: this.issuer,
        audience: this.issuer,
        requiredClaims: ["exp"],
      },
    );
    return { tenantId: String(payload.tid), userId: String(payload.uid), expiresAt: (payload.exp as number) * 1_000 };
  }
}
