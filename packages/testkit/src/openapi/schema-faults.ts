import { Ajv } from "ajv";
import addFormats from "ajv-formats";

/**
 * What ajv finds wrong with a value by the last of some JSON schemas of draft 7, which may refer to the others by their
 * `$id`. Members that say nothing of values are ignored.
 */
export function schemaFaults(schemas: readonly object[]): (value: unknown) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const schema of schemas.slice(0, -1)) ajv.addSchema(schema);
  const validate = ajv.compile(schemas.at(-1) ?? false);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
