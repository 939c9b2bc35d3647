import { LRUCache } from "lru-cache";
import pg from "pg";
import { statementName } from "./statement-name.js";

/** The schema that all statements are written for. */
const DEFAULT_SCHEMA = "reeve";
const QUALIFIER = `"${DEFAULT_SCHEMA}".`;
/** Identifiers end after 63 bytes, and the names of roles and channels are made of this one. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,47}$/;
const TAKEN = /^(?:pg_.*|public|information_schema)$/i;
/** Texts kept in the words of another schema: as many as there are shapes of statements. */
const KEPT = 4_000;

interface Text {
  readonly text: string;
  readonly name: string;
}

/** Throws a `TypeError` for the name of a role that other names cannot be made of. */
export function roleName(role: string): string {
  if (NAME.test(role)) return role;
  throw new TypeError(
    `runtimeRole ${JSON.stringify(role)}: a name of at most 48 letters, digits, "_" and "-" is needed`,
  );
}

/** The name of a table or function in statements. */
export function qualified(name: string): string {
  return `${QUALIFIER}"${name}"`;
}

/**
 * The schema of one store. Statements are compiled once for all stores of the process, in the default schema; where a store has
 * another, each text is rewritten once. Values are parameters, so a qualifier in a text is always one.
 */
export class Namespace {
  readonly #texts = new LRUCache<string, Text>({ max: KEPT });
  readonly #qualifier: string;
  readonly quoted: string;

  /** Throws a `TypeError` for a schema that is not Reeve's to take, or that is not made of letters, digits, `_` and `-`. */
  constructor(readonly schema: string = DEFAULT_SCHEMA) {
    if (!NAME.test(schema)) {
      throw new TypeError(
        `schema ${JSON.stringify(schema)}: a name of at most 48 letters, digits, "_" and "-" is needed, such as "reeve"`,
      );
    }
    if (TAKEN.test(schema)) {
      throw new TypeError(`schema ${JSON.stringify(schema)}: Reeve needs a schema of its own, such as "reeve"`);
    }
    this.quoted = pg.escapeIdentifier(schema);
    this.#qualifier = `${this.quoted}.`;
  }

  /** A text in the words of this schema. */
  text(sql: string): string {
    return this.schema === DEFAULT_SCHEMA ? sql : sql.replaceAll(QUALIFIER, this.#qualifier);
  }

  /** A statement in the words of this schema, named for its text where it had a name. */
  statement<T extends Text>(statement: T): T {
    if (this.schema === DEFAULT_SCHEMA) return statement;
    let known = this.#texts.get(statement.text);
    if (!known) {
      const text = this.text(statement.text);
      known = { text, name: statementName(text) };
      this.#texts.set(statement.text, known);
    }
    return { ...statement, text: known.text, name: statement.name === "" ? "" : known.name };
  }
}
