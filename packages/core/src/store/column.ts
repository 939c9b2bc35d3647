import {
  combinedValue,
  declaredValue,
  type Field,
  type FieldType,
  type FieldValue,
  fieldValue,
  type StoredCollection,
  type StoredRecord,
} from "./collection.js";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The values of declared fields by name, in the order of their declaration, which rows are written by. */
export type ColumnValues = Readonly<Record<string, FieldValue>>;

/** The declared fields of collections as lists, made once, because each written record is read by all of them. */
const declarations = new WeakMap<object, readonly (readonly [name: string, field: Field<never>])[]>();

function declarationsOf<R extends StoredRecord>(collection: StoredCollection<R>) {
  const made = declarations.get(collection.fields) ?? Object.entries(collection.fields as Record<string, Field<never>>);
  declarations.set(collection.fields, made);
  return made as unknown as readonly (readonly [name: string, field: Field<R>])[];
}

/** The values of all declared fields by name, each checked against its column. Every store writes these. */
export function columnValues<R extends StoredRecord>(collection: StoredCollection<R>, record: R): ColumnValues {
  checkValue("createdAt", "time", record.createdAt);
  const values: Record<string, FieldValue> = {};
  const valueOfPart = (name: string): FieldValue => {
    const made = values[name];
    return made === undefined ? fieldValue(collection, record, name) : made;
  };
  for (const [name, field] of declarationsOf(collection)) {
    const value =
      "combines" in field ? combinedValue(field, valueOfPart) : declaredValue(collection, record, name, field);
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
