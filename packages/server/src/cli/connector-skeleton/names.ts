/** The name of a connector in the forms that its files use. */
export interface Names {
  /** Provider key, such as `acme-bots`. */
  readonly key: string;
  /** For people, such as `Acme Bots`. */
  readonly title: string;
  /** The function that makes the connector, such as `acmeBots`. */
  readonly factory: string;
}

const KEY = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The forms of a provider key; `undefined` when it is none. */
export function namesOf(key: string): Names | undefined {
  if (!KEY.test(key) || key.length < 2 || key.length > 50) return undefined;
  const words = key.split("-").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  const factory = words.join("");
  return { key, title: words.join(" "), factory: `${factory.charAt(0).toLowerCase()}${factory.slice(1)}` };
}
