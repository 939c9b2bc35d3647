import { isSecretName, looksSecret } from "./secrets.js";

/** An address as it may be kept: absent where it has placeholders, or a secret that it does not work without. */
export interface KeptAddress {
  readonly address?: string;
  readonly host?: string;
  readonly hidSecret: boolean;
}

/** Parameters, user and password are dropped. Some services put a key into the path: of these only the host is kept. */
export function addressOf(text: string): KeptAddress {
  if (/[${}<>]/.test(text) || text.length > 2_000 || !URL.canParse(text)) return { hidSecret: hasUser(text) };
  const { protocol, username, password, host, origin, pathname, searchParams } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return { hidSecret: password !== "" };
  const inPath = pathname.split("/").some(looksSecret);
  const inQuery = [...searchParams].some(([name, value]) => isSecretName(name) || looksSecret(value));
  const hidSecret = inPath || inQuery || username !== "" || password !== "";
  return inPath ? { host, hidSecret } : { address: `${origin}${pathname}`, host, hidSecret };
}

const hasUser = (text: string) => /^[a-z]+:\/\/[^/]*@/i.test(text);
