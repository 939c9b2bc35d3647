const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const ID = /_01[0-9A-HJKMNP-TV-Z]{0,24}…?/g;

/** Where an answer is not as it is shown. What is not shown may be there; `…` stands for any text, an id or a time for any other. */
export function differences(shown: unknown, actual: unknown, pointer = ""): string[] {
  if (typeof shown === "string" && typeof actual === "string")
    return patternOf(shown).test(actual) ? [] : [`${pointer}: shown ${shown}, is ${actual}`];
  if (Array.isArray(shown) && Array.isArray(actual))
    return shown.flatMap((each, at) => differences(each, actual[at], `${pointer}/${at}`));
  if (isObject(shown) && isObject(actual))
    return Object.entries(shown).flatMap(([name, value]) => differences(value, actual[name], `${pointer}/${name}`));
  return Object.is(shown, actual)
    ? []
    : [`${pointer}: shown ${JSON.stringify(shown)}, is ${JSON.stringify(actual) ?? "absent"}`];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function patternOf(shown: string): RegExp {
  if (TIME.test(shown)) return TIME;
  const parts = shown
    .replaceAll(ID, "_…")
    .split("…")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*")}$`);
}
