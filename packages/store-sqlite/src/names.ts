/** What the names of all that Reeve makes begin with: its tables lie beside those of a host. */
const PREFIX = "reeve_";

/** The name of a table or an index in the database. */
export function databaseName(name: string): string {
  return `${PREFIX}${name}`;
}

/** The same as it stands in a statement. */
export function quotedName(name: string): string {
  return `"${databaseName(name)}"`;
}
