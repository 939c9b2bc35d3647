/** Commands that start another one. */
export const WRAPPERS: Readonly<Record<string, (words: readonly string[]) => readonly string[] | undefined>> = {
  cmd: (words) => {
    const at = words.findIndex((word) => /^\/[ck]$/i.test(word));
    return at >= 0 && words.slice(0, at).every((word) => /^\/[sdqaufe](:\w+)?$/i.test(word))
      ? split(words.slice(at + 1))
      : undefined;
  },
  env: (words) => {
    let at = 0;
    for (; at < words.length; at += 1) {
      const word = words[at] as string;
      if (word === "--") return words.slice(at + 1);
      if (ENV_VALUES.has(word)) at += 1;
      else if (!ENV_FLAGS.has(word) && !/^[A-Za-z_]\w*=/.test(word)) break;
    }
    const [first] = words.slice(at);
    return first === undefined || first.startsWith("-") ? undefined : words.slice(at);
  },
  ...Object.fromEntries(["sh", "bash", "zsh", "dash"].map((shell) => [shell, inShell])),
};

const ENV_FLAGS = new Set(["-i", "--ignore-environment", "-"]);
const ENV_VALUES = new Set(["-u", "--unset", "-C", "--chdir"]);

function inShell(words: readonly string[]): readonly string[] | undefined {
  const [option = "", line, ...more] = words;
  // A line with anything that a shell reads is not read here.
  if (!/^-[eilux]*c$/.test(option) || line === undefined || more.length > 0 || /[^\w\s@%+=:,./-]/.test(line))
    return undefined;
  const parts = line.trim().split(/\s+/);
  return parts[0] === "exec" ? parts.slice(1) : parts;
}

/** The words of `cmd /c`, which are sometimes given as one. */
const split = (words: readonly string[]): readonly string[] | undefined => {
  const [only = ""] = words;
  if (words.length !== 1) return words;
  return /["^&|<>()]/.test(only) ? undefined : only.trim().split(/\s+/);
};
