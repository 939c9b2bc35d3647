/** One place in which what is differs from what is wanted. */
export interface Difference {
  readonly place: string;
  readonly is: unknown;
  readonly wanted: unknown;
}

/** Where two values differ. What is empty is as good as absent. Items of lists are told apart by their `key` or `name`. */
export function differencesOf(is: unknown, wanted: unknown, place = ""): Difference[] {
  if (isEmpty(is) && isEmpty(wanted)) return [];
  const [before, after] = [membersOf(is), membersOf(wanted)];
  if (before && after) {
    const names = [...new Set([...before.keys(), ...after.keys()])];
    const found = names.flatMap((name) => differencesOf(before.get(name), after.get(name), joined(place, name)));
    const isMoved =
      found.length === 0 && Array.isArray(is) && [...before.keys()].join("\n") !== [...after.keys()].join("\n");
    return isMoved ? [{ place: `${place} (order)`, is: [...before.keys()], wanted: [...after.keys()] }] : found;
  }
  return JSON.stringify(is) === JSON.stringify(wanted) ? [] : [{ place, is, wanted }];
}

const joined = (place: string, name: string) => (place === "" ? name : `${place}.${name}`);

/** The members of an object or of a list whose items have names; `undefined` for anything else. */
function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const names = value.map((item: unknown) => Object(item).key ?? Object(item).name);
  const areNamed = names.every((name) => typeof name === "string") && new Set(names).size === names.length;
  return areNamed ? new Map(names.map((name, at) => [String(name), value[at]])) : undefined;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
