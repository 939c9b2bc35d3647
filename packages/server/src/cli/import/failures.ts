import type { BatchOutcome, Imported } from "@reeve/core";
import { type Schema, shapeOf } from "./mapping/schema.js";

/** Most groups, and most places of one, that are kept. */
const [MOST_GROUPS, MOST_PLACES] = [100, 10];

/** Refused rows with the same message. */
export interface FailureGroup {
  readonly code: string;
  /** The property that is at fault, as a JSON Pointer. */
  readonly pointer?: string | undefined;
  readonly message: string;
  count: number;
  /** The first places, as numbers of lines or items. */
  readonly places: number[];
}

type Refusal = NonNullable<BatchOutcome<Imported>["error"]>;

/** Refused rows by their messages, in bounded memory. */
export class Failures {
  readonly #groups = new Map<string, FailureGroup>();
  #others = 0;

  /** `schema` says which shape a property wants. */
  constructor(private readonly schema: Schema | undefined) {}

  /** Notes a refused row: each of its faults counts in a group. `fault` stands for one that could not be read. */
  add(at: number, { code, message, errors }: Refusal, fault: string | undefined): void {
    if (fault !== undefined || errors.length === 0) {
      this.#note(at, { code, message: fault ?? message });
      return;
    }
    for (const { code: each, pointer, message } of errors)
      this.#note(at, { code: each, pointer, message: this.#explained(pointer, message) });
  }

  /** The groups, the largest first, and how many faults have none of their own. */
  get report(): { readonly failures: readonly FailureGroup[]; readonly otherFailures: number } {
    return { failures: [...this.#groups.values()].sort((a, b) => b.count - a.count), otherFailures: this.#others };
  }

  /** A line for each group. */
  lines(unit: string): string[] {
    const { failures, otherFailures } = this.report;
    const lines = failures.map(({ pointer, message, count, places }) => {
      const where = `${unit}${count > 1 ? "s" : ""} ${places.join(", ")}${count > places.length ? ", …" : ""}`;
      return `  ${count} × ${pointer ? `${pointer.slice(1).replaceAll("/", ".")}: ` : ""}${message} (${where})`;
    });
    return otherFailures > 0 ? [...lines, `  ${otherFailures} × other faults`] : lines;
  }

  #note(at: number, fault: Pick<FailureGroup, "code" | "pointer" | "message">): void {
    const key = JSON.stringify([fault.code, fault.pointer, fault.message]);
    const group = this.#groups.get(key);
    if (group) {
      group.count += 1;
      if (group.places.length < MOST_PLACES) group.places.push(at);
    } else if (this.#groups.size < MOST_GROUPS) this.#groups.set(key, { ...fault, count: 1, places: [at] });
    else this.#others += 1;
  }

  /** The message, with the shape that the property wants where it has another one. */
  #explained(pointer: string | undefined, message: string): string {
    if (!pointer || !/expected (?:object|array|record)/i.test(message)) return message;
    const schema = schemaAt(this.schema, pointer.slice(1).split("/"));
    const name = pointer.slice(1).replaceAll("/", ".");
    return schema ? `${message}; \`${name}\` wants ${shapeOf(schema)}` : message;
  }
}

function schemaAt(schema: Schema | undefined, [name, ...rest]: readonly string[]): Schema | undefined {
  if (name === undefined || !schema) return schema;
  const { properties = {}, items } = schema;
  return schemaAt(Object.hasOwn(properties, name) ? properties[name] : items, rest);
}
