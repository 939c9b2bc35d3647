import { asking } from "./asking.js";
import type { Profile, Profiles } from "./profiles.js";
import { Refusal } from "./refusals.js";

/** A token is renewed so long before its end. */
const BEFORE_END_MS = 60_000;

/** The token of a profile, renewed before it ends. */
export class SignIn {
  #refused: string | undefined;
  #given: string | undefined;

  constructor(
    readonly profiles: Profiles,
    readonly name: string,
  ) {}

  /** The token given last is good no more, whatever its end says. */
  refused(): void {
    this.#refused = this.#given;
  }

  async token(): Promise<string> {
    const kept = this.#kept();
    const { token } = this.#isGood(kept) || kept.refreshToken === null ? kept : await this.#renewed();
    this.#given = token;
    return token;
  }

  #kept(): Profile {
    const profile = this.profiles.find(this.name);
    if (profile) return profile;
    throw new Refusal("token_missing", `the profile "${this.name}" has been signed out; sign in by reeve login`);
  }

  #isGood({ token, expiresAt }: Profile): boolean {
    if (token === this.#refused) return false;
    return expiresAt === null || Date.parse(expiresAt) - BEFORE_END_MS > Date.now();
  }

  /** Of several commands with one profile, the first takes the next token for all, because a refresh token works once. */
  #renewed(): Promise<Profile> {
    return this.profiles.whileLocked(async () => {
      const kept = this.#kept();
      if (this.#isGood(kept) || kept.refreshToken === null) return kept;
      const next = await refreshed(kept, kept.refreshToken);
      this.profiles.keep(this.name, next);
      return next;
    });
  }
}

async function refreshed(profile: Profile, refreshToken: string): Promise<Profile> {
  const body = { grant_type: "refresh_token", refresh_token: refreshToken } as const;
  const { data } = await asking(profile.server, {}, (client) => client.POST("/api/v1/auth/token", { body })).catch(
    (error: unknown) => {
      // The code of a token that is unknown, spent, expired or revoked. Other refusals pass.
      if (!(error instanceof Refusal && error.code === "invalid_request")) throw error;
      throw new Refusal("token_expired", "the sign-in has ended; sign in again by reeve login");
    },
  );
  const expiresAt = new Date(Date.now() + data.expires_in * 1_000).toISOString();
  return { ...profile, token: data.access_token, expiresAt, refreshToken: data.refresh_token ?? null };
}
