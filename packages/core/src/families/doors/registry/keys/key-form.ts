import type { Environment } from "#kernel/config/environment.js";

/** The mark of keys, for secret scanners. */
export const KEY_MARK = "rrk_";

const FORM = /^rrk_[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of a key. Others need no query. */
export const isKey = (text: string): boolean => FORM.test(text);

/** The keyed hash that a key is found by. The key itself is kept nowhere. */
export const hashOf = ({ secretBox }: Pick<Environment, "secretBox">, key: string): string =>
  secretBox.fingerprint(key, "registry key");
