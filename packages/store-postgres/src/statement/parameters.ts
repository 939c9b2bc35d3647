/** Values for the wire: text or `null`. Throws for a value that is neither scalar nor a list of scalars. */
export function parameters(values: readonly unknown[]): (string | null)[] {
  return values.map((value) => (Array.isArray(value) ? listOf(value) : textOf(value)));
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TypeError(`a statement cannot take a value of type ${typeof value}`);
}

/** Characters that JSON writes in another way than PostgreSQL, of which none is in JSON text itself. */
const NOT_AS_JSON = /[^ -\ud7ff\ue000-\uffff]/;

/** An array in PostgreSQL's notation. */
function listOf(values: readonly unknown[]): string {
  const items = values.map((value) => {
    const text = textOf(value);
    return text === null ? "NULL" : quoted(text);
  });
  return `{${items.join(",")}}`;
}

/** Most text is quoted as JSON quotes it, which the engine does several times as fast. */
function quoted(text: string): string {
  return NOT_AS_JSON.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : JSON.stringify(text);
}
