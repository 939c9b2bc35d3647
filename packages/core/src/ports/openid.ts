import type { Clock } from "./clock.js";
import type { Egress } from "./egress.js";

/** An OpenID provider that browsers are signed in by. Nothing of it is secret. */
export interface OpenidProvider {
  /** Its name in addresses. */
  readonly name: string;
  /** What people are shown. */
  readonly label: string;
  /** The trusted issuer whose rules give tenant, person and roles. */
  readonly issuer: string;
  /** The client that its ID tokens are for. */
  readonly clientId: string;
  /** Values of `amr` and `acr` of which one says that a second factor was proven. */
  readonly factorClaims: { readonly amr: readonly string[]; readonly acr: readonly string[] };
}

/** One sign-in on its way: what only its browser has, and the provider must show to have been asked for. */
export interface OpenidAttempt {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The verifier of PKCE. */
  readonly verifier: string;
}

/** Why a sign-in does not go on: refused by the provider or the person, not acceptable, or out of reach. */
export interface OpenidRefusal {
  readonly refused: "denied" | "not_accepted" | "unreachable";
  /** For the log; without secrets. */
  readonly reason: string;
}

/** What a provider says of somebody. */
export interface OpenidAnswer {
  /** Its signature is not verified yet. */
  readonly idToken: string;
  /** Claims of its user-info endpoint about the same subject. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** The code flow with PKCE, over one egress. */
export interface OpenidFlow {
  /** Where the browser goes. With `again` the provider is to ask the person anew. */
  begin(provider: string, attempt: OpenidAttempt, again: boolean): Promise<{ readonly url: string } | OpenidRefusal>;
  /**
   * Redeems what the browser came back with, the query of its address. `claims` are wanted; those that the ID token lacks
   * are asked for.
   */
  finish(
    provider: string,
    attempt: OpenidAttempt,
    query: string,
    claims: readonly string[],
  ): Promise<OpenidAnswer | OpenidRefusal>;
}

/** OpenID Connect as the side that relies on it, as `openidSignIn()` of `@reeve/openid` implements it. */
export interface OpenidEngine {
  readonly providers: readonly OpenidProvider[];
  connect(outside: { readonly egress: Egress; readonly clock: Clock }): OpenidFlow;
}
