import type { AnswerChange } from "./page-relay.js";

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A record of a list that an answer holds, and where it was seen. */
export interface SeenRecord {
  readonly path: string;
  /** As JSON, by which it is known again. */
  readonly text: string;
  readonly record: Members;
}

/** What products send in the place of what is documented. */
const ODD = {
  null: null,
  "a number": 7,
  "an object": { odd: true },
  "an empty text": "",
  "a text that is too long": "x".repeat(20_000),
  "a list": [[]],
} as const;

/** Lists of records in an answer: the answer itself, or members of it. */
function listsIn(body: unknown): readonly (readonly unknown[])[] {
  if (Array.isArray(body)) return [body];
  if (!isMembers(body)) return [];
  return Object.values(body).flatMap((value) =>
    Array.isArray(value) ? [value] : isMembers(value) ? listsIn(value) : [],
  );
}

/** The first record of a list in an answer. A message of JSON-RPC is left alone: libraries check it as a whole. */
export function recordIn(path: string, body: unknown): SeenRecord | undefined {
  if (isMembers(body) && "jsonrpc" in body) return undefined;
  const record = listsIn(body).flat().find(isMembers);
  return record && { path, record, text: JSON.stringify(record) };
}

/** Changes that make one record odd: all of it, all of its members at once, and each member by itself. */
export function oddForms(seen: SeenRecord): Readonly<Record<string, AnswerChange>> {
  const { record } = seen;
  const all = Object.entries(ODD).flatMap(([what, odd]) => [
    [`${what} in the place of a record`, odd],
    [`a record of which each member is ${what}`, Object.fromEntries(Object.keys(record).map((name) => [name, odd]))],
  ]);
  const each = Object.keys(record).flatMap((name) =>
    (["null", "an object"] as const).map((what) => [`${name} that is ${what}`, { ...record, [name]: ODD[what] }]),
  );
  return Object.fromEntries([...all, ...each].map(([what, odd]) => [what as string, replaced(seen, odd)]));
}

function replaced({ path, text }: SeenRecord, odd: unknown): AnswerChange {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => (JSON.stringify(one) === text ? odd : one));
    if (!isMembers(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(member)]));
  };
  return (answer, _first, at) => (at === path ? { ...answer, body: inside(answer.body) } : answer);
}
