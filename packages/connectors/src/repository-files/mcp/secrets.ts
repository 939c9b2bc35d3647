/** A text that says where a value comes from, and is none. */
const PLACEHOLDER =
  /^$|[$][{(]?\w|[{][{]|^<.*>$|^%\w+%$|^(your|my|insert|replace|change)[-_ ]|^x{3,}$|^\*+$|^[.]{3,}$/i;
const SECRET_NAME = /(key|token|secret|passw|pwd|auth|credential|cookie|\bpat\b|_pat\b|dsn|connection)/i;
/** Prefixes that issuers give their keys. */
const ISSUED =
  /\b(sk-|sk_|pk_|rk_|gh[opsru]_|github_pat_|glpat-|xox[abeprs]-|AKIA|AIza|hf_|eyJ[\w-]+\.|ya29\.|SG\.)[\w-]/;
const WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

interface Given {
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/** Whether a configuration holds a secret itself, instead of naming where it is. */
export function holdsSecret({ env, headers, args }: Given): boolean {
  const named = [...Object.entries(env), ...Object.entries(headers)];
  return (
    named.some(([name, value]) => (isSecretName(name) && !isPlaceholder(value)) || looksSecret(value)) ||
    args.some((arg, at) => looksSecret(arg) || isOption(arg, args[at + 1]))
  );
}

export const isSecretName = (name: string) => SECRET_NAME.test(name);

/** Whether a text alone looks like a secret: a known prefix, a password in an address, or long and random. */
export function looksSecret(text: string): boolean {
  if (isPlaceholder(text)) return false;
  if (ISSUED.test(text) || WITH_PASSWORD.test(text)) return true;
  return text
    .split(/[^\w-]/)
    .some((word) => word.length >= 24 && /\d/.test(word) && /[a-z]/i.test(word) && isRandom(word));
}

const isPlaceholder = (value: string) => PLACEHOLDER.test(value.replace(/^(Bearer|Basic|token)\s+/i, "").trim());

/** `--api-key=value`, `--api-key value` and `API_KEY=value`. */
function isOption(arg: string, next: string | undefined): boolean {
  const [, name = "", value] = /^-{0,2}([\w-]+)(?:[=:](.+))?$/.exec(arg) ?? [];
  if (!isSecretName(name)) return false;
  const given = value ?? (arg.startsWith("-") && !next?.startsWith("-") ? next : undefined);
  return given !== undefined && !isPlaceholder(given);
}

/** More bits a character than words of a language have. */
function isRandom(word: string): boolean {
  const counts = new Map<string, number>();
  for (const letter of word) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const bits = [...counts.values()].reduce(
    (sum, count) => sum - (count / word.length) * Math.log2(count / word.length),
    0,
  );
  return bits > 3.4;
}
