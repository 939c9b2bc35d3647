/** The site that passkeys are of. */
export interface PasskeySite {
  /** A host name, which passkeys are bound to. */
  readonly id: string;
  /** What people are shown. */
  readonly name: string;
  /** Origins whose pages may use them. */
  readonly origins: readonly string[];
}

/** A passkey as it is stored. */
export interface StoredPasskey {
  /** Its id, base64url. */
  readonly credentialId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** Its count of uses. Many always say 0. */
  readonly counter: number;
  readonly transports: readonly string[];
}

/** What a browser is given or gives back, as in WebAuthn's JSON forms. */
export type PasskeyMessage = Readonly<Record<string, unknown>>;

/** WebAuthn as the side that relies on it, as `passkeyEngine()` of `@reeve/passkeys` implements it. */
export interface PasskeyEngine {
  /** What `navigator.credentials.create` takes. */
  creation(
    site: PasskeySite,
    challenge: string,
    person: { readonly id: string; readonly username: string; readonly name: string },
    known: readonly StoredPasskey[],
  ): Promise<PasskeyMessage>;
  /** The passkey that a browser has made for this challenge. `undefined` when it is not right. */
  created(site: PasskeySite, challenge: string, answer: PasskeyMessage): Promise<StoredPasskey | undefined>;
  /** What `navigator.credentials.get` takes. */
  request(site: PasskeySite, challenge: string, known: readonly StoredPasskey[]): Promise<PasskeyMessage>;
  /** The count of uses after a passkey has signed this challenge. `undefined` when it has not. */
  signed(
    site: PasskeySite,
    challenge: string,
    answer: PasskeyMessage,
    passkey: StoredPasskey,
  ): Promise<number | undefined>;
}
