/** Checks an option. Returns what it must be, for an error message; `undefined` when it is valid. */
export type Check = (given: unknown, config: Readonly<Record<string, unknown>>) => string | undefined;

/** A required option. The text says what it must be and how to get one. */
export function required(what: string, check: Check): Check {
  return (given, config) => (given === undefined ? `is required: ${what}` : check(given, config));
}

/** An object with these methods. */
export function withMethods(what: string, ...methods: readonly string[]): Check {
  return (given) => {
    const lacking = methods.filter((method) => typeof Object(given)[method] !== "function");
    return lacking.length === 0 ? undefined : `must be ${what}; it has no method ${lacking.join(", ")}`;
  };
}

export function oneOf(...values: readonly unknown[]): Check {
  const named = values.map((value) => JSON.stringify(value));
  const text = `${named.slice(0, -1).join(", ")} or ${named.at(-1)}`;
  return (given) => (values.includes(given) ? undefined : `must be ${text}, not ${shown(given)}`);
}

export const flag = oneOf(true, false);

export function whole(least: number, most: number): Check {
  const fits = (given: unknown) => Number.isInteger(given) && (given as number) >= least && (given as number) <= most;
  return (given) =>
    fits(given)
      ? undefined
      : `must be a whole number from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}, not ${shown(given)}`;
}

export const func: Check = (given) =>
  typeof given === "function" ? undefined : `must be a function, not ${shown(given)}`;

export const text: Check = (given) =>
  typeof given === "string" && given !== "" ? undefined : `must be a text, not ${shown(given)}`;

/** An http or https URL that can be the base of links. */
export function url(example: string): Check {
  return (given) => {
    const fits = typeof given === "string" && /^https?:\/\/[^#\s]+$/i.test(given) && URL.canParse(given);
    return fits
      ? undefined
      : `must be an http or https URL without a fragment, as "${example}" is, not ${shown(given)}`;
  };
}

/** A list of texts. `fault` returns what is wrong with an entry. */
export function listOf(what: string, fault: (entry: string) => string | undefined): Check {
  return (given) => {
    if (!Array.isArray(given) || given.some((entry) => typeof entry !== "string"))
      return `must be a list of ${what}, not ${shown(given)}`;
    const faults = (given as string[]).flatMap((entry) => {
      const found = fault(entry);
      return found === undefined ? [] : [`entry ${shown(entry)} ${found}`];
    });
    return faults.length > 0 ? faults.join("; ") : undefined;
  };
}

export function isObject(given: unknown): given is object {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

/** A value as a message shows it: short, on one line. */
export function shown(given: unknown): string {
  if (typeof given === "function") return "a function";
  if (given instanceof Uint8Array) return `${given.length} bytes`;
  const json = typeof given === "bigint" ? `${given}n` : JSON.stringify(given);
  const line = json ?? String(given);
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
