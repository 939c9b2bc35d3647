import { ReeveError } from "#kernel/http/errors.js";
import { schemaFaults } from "#kernel/http/schema-faults.js";
import { z } from "#schema/z.js";
import type { AccessProfile } from "./schema.js";

/** 400 unless parameters fit the schema of their profile. A profile without one says nothing about them. */
export function requireParameters(
  { parametersSchema }: Pick<AccessProfile, "parametersSchema">,
  parameters: Readonly<Record<string, unknown>>,
): void {
  if (parametersSchema === null) return;
  const { error } = z.fromJSONSchema(parametersSchema as never).safeParse(parameters);
  if (!error) return;
  const errors = schemaFaults(error).map((fault) => ({ ...fault, pointer: `/parameters${fault.pointer ?? ""}` }));
  throw new ReeveError("invalid_request", undefined, { errors });
}
