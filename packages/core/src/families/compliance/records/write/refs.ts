import { scrubbed } from "#kernel/http/scrub.js";
import { isSecretParameter } from "#kernel/http/secret-names.js";

/** Prefixes of secrets of common services. */
const KNOWN =
  /(?:^|[^A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|ya29\.[\w-]+|-----BEGIN [A-Z ]*PRIVATE KEY|[Bb]earer\s+\S{8,})/;

/** Whether a reference contains a secret. References are served and stored in events. */
export function holdsSecret(ref: string): boolean {
  if (scrubbed(ref) !== ref || KNOWN.test(ref)) return true;
  if (!URL.canParse(ref)) return false;
  const url = new URL(ref);
  if (url.password !== "") return true;
  const named = [...url.searchParams.keys(), ...new URLSearchParams(url.hash.slice(1)).keys()];
  return named.some(isSecretParameter);
}
