/** Names of properties whose value is a secret, folded to letters. */
const SECRETS = [
  "clientsecret",
  "secret",
  "secretkey",
  "password",
  "passphrase",
  "privatekey",
  "apikey",
  "accesstoken",
  "refreshtoken",
  "token",
  "authtoken",
  "bearertoken",
  "apitoken",
  "idtoken",
  "passwd",
  "pwd",
];

/** Names that denote a secret in query parameters only. Elsewhere they have other meanings as well. */
const IN_ADDRESSES = [
  "key",
  "auth",
  "authorization",
  "code",
  "sig",
  "signature",
  "xamzsignature",
  "xamzsecuritytoken",
  "xgoogsignature",
  "sessionid",
];

/** Parts of names whose value may be a secret. A plural, as in `maxTokens`, is an amount. */
const SUSPECT =
  /secret|passw(?:or)?d|passphrase|privatekey|apikey|accesskey|authorization|cookie|credential|bearer|token$|^pin$/;

/** What the names of secrets end with, in environments, headers and configurations: `OPENAI_API_KEY`, `X-Auth-Token`. */
const ENDINGS =
  /(?:secret|secretkey|passw(?:or)?d|passwd|pwd|passphrase|privatekey|signingkey|encryptionkey|apikey|accesskey|token|authorization|cookie|bearer|connectionstring|credentials)$/;

const secrets: ReadonlySet<string> = new Set(SECRETS);
const carrying: ReadonlySet<string> = new Set([...SECRETS, ...IN_ADDRESSES]);

const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");

/** Whether a property of this name is a secret. */
export function isSecretName(name: string): boolean {
  return secrets.has(folded(name));
}

/** Whether a query parameter of this name carries a secret. */
export function isSecretParameter(name: string): boolean {
  return carrying.has(folded(name));
}

/** Whether a property of this name may be a secret, so that logs leave it out. */
export function isSuspectName(name: string): boolean {
  return SUSPECT.test(folded(name));
}

/** Shorter values of a name that only ends like that of a secret are words, such as the tokens of a vocabulary. */
const SHORTEST = 8;

/** Whether a value is long enough to be a secret, and its name ends like that of one. */
export function isSecretNameOfLong(name: string, value: string): boolean {
  return value.length >= SHORTEST && ENDINGS.test(folded(name));
}
