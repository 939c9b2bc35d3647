import unicode from "./confusables.json" with { type: "json" };

/** Look-alikes that Unicode's list lacks. */
const UNLISTED: Readonly<Record<string, string>> = { j: "ȷ", n: "п", u: "μ" };

let made: ReadonlyMap<string, string> | undefined;

/** What each character can be taken for. Made at first use, because it is thousands of characters. */
function lookalikes(): ReadonlyMap<string, string> {
  made ??= new Map(
    [unicode.characters, UNLISTED]
      .flatMap(Object.entries<string>)
      .flatMap(([looksLike, characters]) => [...characters].map((character) => [character, looksLike] as const)),
  );
  return made;
}

/** The skeleton of a name: names that look alike have the same one. */
export function skeletonOf(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/[\p{M}\p{Cf}]/gu, "");
  // A capital can look like another letter than its lower case, so capitals are replaced before folding.
  return lookedUp(lookedUp(plain).toLowerCase());
}

function lookedUp(text: string): string {
  const plainer = lookalikes();
  return [...text].map((character) => plainer.get(character) ?? character).join("");
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** Whether one word mixes scripts whose letters look alike. */
export function mixesScripts(text: string): boolean {
  return text.split(/[^\p{L}\p{M}]+/u).some((word) => SCRIPTS.filter((script) => script.test(word)).length > 1);
}
