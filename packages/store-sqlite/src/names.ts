/** Prefix of all names in the database, because a host may have tables there. */
const PREFIX = "reeve_";

/** The name of a table or an index in the database. */
export function databaseName(name: string): string {
  return `${PREFIX}${name}`;
}

/** The quoted name for statements. */
export function quotedName(name: string): string {
  return `"${databaseName(name)}"`;
}
