import { LRUCache } from "lru-cache";
import pg from "pg";
import { statementName } from "./statement-name.js";

/** The schema that all SQL is written for. */
const DEFAULT_SCHEMA = "reeve";
const QUALIFIER = `"${DEFAULT_SCHEMA}".`;
/** Identifiers have at most 63 bytes, and the names of roles and channels extend this one. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,47}$/;
const TAKEN = /^(?:pg_.*|public|information_schema)$/i;
/** Rewritten texts to keep: about the number of statement shapes. */
const KEPT = 4_000;

interface Text {
  readonly text: string;
  readonly name: string;
}

/** Throws a `TypeError` for a role name that other names cannot extend. */
export function roleName(role: string): string {
  if (NAME.test(role)) return role;
  throw new TypeError(
    `runtimeRole ${JSON.stringify(role)}: a name of at most 48 letters, digits, "_" and "-" is needed`,
  );
}

/** The qualified name of a table or function for statements. */
export function qualified(name: string): string {
  return `${QUALIFIER}"${name}"`;
}

/**
 * The schema of one store. Statements are compiled once per process for the default schema. For another schema each
 * text is rewritten once. Values are parameters, so every qualifier in a text is a real one.
 */
export class Namespace {
  readonly #texts = new LRUCache<string, Text>({ max: KEPT });
  readonly #qualifier: string;
  readonly quoted: string;

  /** Throws a `TypeError` for a reserved schema, or a name with other characters than letters, digits, `_` and `-`. */
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

  /** A text rewritten for this schema. */
  text(sql: string): string {
    return this.schema === DEFAULT_SCHEMA ? sql : sql.replaceAll(QUALIFIER, this.#qualifier);
  }

  /** A statement rewritten for this schema. A named one gets the name of its new text. */
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
