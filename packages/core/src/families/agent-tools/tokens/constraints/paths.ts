/** Characters that no name of a file or branch needs: control, direction, backslash. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\\]/u;
/** What may be decoded once more on the way. */
const ENCODED = /%[0-9a-f]{2}/i;
const MOST = 1_000;

const isPlain = (text: string) =>
  text.length <= MOST && !UNSEEN.test(text) && !ENCODED.test(text) && text.normalize("NFC") === text;

/** Whether a path has the one spelling that limits are compared with. */
export const isPlainPath = (path: string): boolean =>
  isPlain(path) && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** Whether the name of a repository has one spelling only. */
export const isPlainName = isPlainPath;

/** The name of a branch without the prefix of references; `undefined` for what is no branch. */
export function branchOf(given: string): string | undefined {
  const name = given.startsWith("refs/heads/") ? given.slice("refs/heads/".length) : given;
  const isOther = name.startsWith("refs/") || /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i.test(name);
  return isPlainPath(name) && !isOther && !/[\s~^:?*[]|@\{/.test(name) ? name : undefined;
}

/** A prefix without its closing slash. */
export const prefixOf = (path: string): string => path.replace(/\/$/, "");

/** Whether a path is a prefix or below it. Case counts. */
export const isBelow = (path: string, prefix: string): boolean =>
  path === prefixOf(prefix) || path.startsWith(`${prefixOf(prefix)}/`);

/** Whether the name of a branch fits a pattern, which is a name or ends in `*`. Case counts. */
export const fitsBranch = (name: string, pattern: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
