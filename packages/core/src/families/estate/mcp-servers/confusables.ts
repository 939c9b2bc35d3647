/** Letters of other scripts that look like Latin ones, the commonest of Unicode's list of confusables. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ а: "a", в: "b", с: "c", ԁ: "d", е: "e", һ: "h", і: "i", ј: "j", ӏ: "l", к: "k", м: "m", н: "h", о: "o" },
  ...{ р: "p", ԛ: "q", ѕ: "s", т: "t", у: "y", ѵ: "v", ԝ: "w", х: "x", г: "r", п: "n" },
  // Greek
  ...{ α: "a", β: "b", ε: "e", η: "n", ι: "i", κ: "k", μ: "u", ν: "v", ο: "o", ρ: "p", τ: "t", υ: "u", χ: "x", γ: "y" },
  // Armenian, Cherokee in lower case, and letters of the Latin script itself
  ...{ օ: "o", ո: "n", ս: "u", հ: "h", ց: "g", զ: "q", ı: "i", ȷ: "j", ɑ: "a", ɡ: "g", ɩ: "i", ʋ: "v", ʏ: "y", ᴏ: "o" },
};

/** Digits and signs that read as letters in names. */
const SIGNS: Readonly<Record<string, string>> = { "0": "o", "1": "l", "|": "l" };

/** A name reduced to how it looks: two names with one skeleton can be taken for each other. */
export function skeletonOf(name: string): string {
  const folded = name
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase();
  return [...folded].map((letter) => LOOKALIKES[letter] ?? SIGNS[letter] ?? letter).join("");
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** Whether one word mixes scripts whose letters look alike. */
export function mixesScripts(text: string): boolean {
  return text.split(/[^\p{L}\p{M}]+/u).some((word) => SCRIPTS.filter((script) => script.test(word)).length > 1);
}
