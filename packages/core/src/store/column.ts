import { type FieldType, type FieldValue, fieldValue, type StoredCollection, type StoredRecord } from "./collection.js";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The values of all declared fields by name, each checked against its column. Every store writes these. */
export function columnValues<R extends StoredRecord>(
  collection: StoredCollection<R>,
  record: R,
): Readonly<Record<string, FieldValue>> {
  checkValue("createdAt", "time", record.createdAt);
  const values: Record<string, FieldValue> = {};
  for (const [name, field] of Object.entries(collection.fields)) {
    const value = fieldValue(collection, record, name);
    checkValue(name, field.type, value);
    values[name] = value;
  }
  return values;
}

/** Throws a TypeError unless `value` is `null` or of the column's type; integers must be safe, times RFC 3339 with milliseconds. */
export function checkValue(name: string, type: FieldType, value: unknown): asserts value is FieldValue {
  if (value === null || fits(type, value)) return;
  throw new TypeError(
    `"${name}" holds ${type}, not ${typeof value === "string" ? JSON.stringify(value) : String(value)}`,
  );
}

function fits(type: FieldType, value: unknown): boolean {
  if (type === "text" || type === "texts") return typeof value === "string";
  if (type === "time") return typeof value === "string" && TIME.test(value);
  return type === "integer" ? Number.isSafeInteger(value) : typeof value === "boolean";
}
