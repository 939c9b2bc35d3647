/** Writes a query as the lists of the API read it: several values parted by commas, and a comma inside one as `\,`. */
export function writeQuery(query: Readonly<Record<string, unknown>>): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`)
    .join("&");
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map((one) => String(one).replaceAll(",", "\\,")).join(",") : String(value);
}
