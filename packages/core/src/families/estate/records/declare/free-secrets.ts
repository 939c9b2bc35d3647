import { invalidProperty } from "#kernel/http/errors.js";
import { jsonPointer } from "#kernel/http/json-pointer.js";
import { isSecretName, isSecretParameter } from "#kernel/http/secret-names.js";

const HINT =
  "Free properties are shown, and kept in events. An identity names the place of a secret in `credentialRef`; an MCP server seals its own in `auth.secret`.";

/** 400 when a free property is named like a secret, or holds an address with one. */
export function refuseSecrets(value: unknown, pointer = ""): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}${jsonPointer([name])}`;
    if (typeof inner === "string" && (isSecretName(name) || carriesSecret(inner))) throw invalidProperty(at, HINT);
    refuseSecrets(inner, at);
  }
}

/** Whether a text is an http address with a password or a parameter that carries a secret. */
export function carriesSecret(text: string): boolean {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return false;
  const { password, searchParams } = new URL(text);
  return password !== "" || [...searchParams.keys()].some(isSecretParameter);
}
