/** The options of one command, as it reads them. */
export interface Options {
  /** Options without a value. */
  readonly flags: readonly string[];
  /** Options that take a value: the next word, or what follows `=`. */
  readonly values: readonly string[];
  /** Options whose value names the package. */
  readonly packages?: readonly string[];
  /** Options after which the rest means something else, such as another registry or a line for a shell. */
  readonly other?: readonly string[];
  /** Short options may stand together and hold their values, as in `-it` and `-p80:80`. */
  readonly clusters?: boolean;
}

/** Options written one after another, as the help of a command has them. */
export const listed = (text: string): readonly string[] => text.trim().split(/\s+/);

export interface ReadWords {
  /** Values of the options that name packages. */
  readonly packages: readonly string[];
  /** Words after the options. */
  readonly rest: readonly string[];
}

/** Reads options up to the first word that is none. `undefined` where one is not known, so that no word is guessed. */
export function readOptions(words: readonly string[], options: Options): ReadWords | undefined {
  const packages: string[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === "--") return { packages, rest: words.slice(at + 1) };
    if (!word.startsWith("-") || word === "-") break;
    const [, name = word, joined] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    if (options.other?.includes(name)) return undefined;
    if (options.flags.includes(name)) continue;
    const takes = takesValue(name, joined, options);
    if (takes === undefined) return undefined;
    const value = joined ?? (takes === "next" ? words[at + 1] : undefined);
    if (takes === "next" && joined === undefined) at += 1;
    if (options.packages?.includes(name)) {
      if (value === undefined) return undefined;
      packages.push(value);
    }
  }
  return at > words.length ? undefined : { packages, rest: words.slice(at) };
}

/** Where the value of an option stands; `undefined` for an option that is not known. */
function takesValue(name: string, joined: string | undefined, options: Options): "next" | "here" | undefined {
  const { flags, values, packages = [], clusters = false } = options;
  if (values.includes(name) || packages.includes(name)) return joined === undefined ? "next" : "here";
  if (name.startsWith("--") || !clusters) return undefined;
  for (let at = 1; at < name.length; at += 1) {
    const short = `-${name.charAt(at)}`;
    if (flags.includes(short)) continue;
    if (!values.includes(short)) return undefined;
    return at === name.length - 1 ? "next" : "here";
  }
  return "here";
}
