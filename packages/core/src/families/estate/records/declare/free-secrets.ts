import { invalidProperty } from "../../../../kernel/http/errors.js";
import { jsonPointer } from "../../../../kernel/http/json-pointer.js";
import { isSecretName } from "../../../../kernel/http/secret-names.js";

/**
 * 400 when a free property is named like a secret, because free properties are served and stored in events. `hint`
 * tells where secrets belong.
 */
export function refuseSecrets(value: unknown, hint: string, pointer = ""): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}${jsonPointer([name])}`;
    if (typeof inner === "string" && isSecretName(name)) throw invalidProperty(at, hint);
    refuseSecrets(inner, hint, at);
  }
}
