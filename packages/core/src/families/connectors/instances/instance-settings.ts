import type { Connector } from "#connectors/connector.js";
import { type FieldError, invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { refuseUnfit } from "#kernel/http/free-values.js";
import type { JsonObject } from "#kernel/http/json-guard.js";
import { jsonPointer } from "#kernel/http/json-pointer.js";
import { schemaFaults } from "#kernel/http/schema-faults.js";
import { METADATA_BYTES } from "#kernel/records/generic-body.js";
import { type GivenSecrets, KEPT } from "./fields.js";
import type { SecretValues } from "./instance-secrets.js";

/** What a caller gives of configuration and secrets, each secret at its own place. */
export interface GivenSettings {
  readonly configuration: JsonObject;
  readonly secrets: GivenSecrets;
}

/** Configuration and secrets that fit the connector. */
export interface Settings {
  /** As it was given. */
  readonly configuration: JsonObject;
  /** As the connector gets it. */
  readonly parsed: JsonObject;
  readonly secrets: SecretValues;
}

/**
 * Takes secrets that were given in `configuration` to their place. 400 where the two places contradict each other, and
 * for a secret anywhere else in `configuration`.
 */
export function sortSecrets(
  connector: Connector,
  configuration: JsonObject = {},
  secrets: GivenSecrets = {},
): GivenSettings {
  const rest: JsonObject = {};
  const found: GivenSecrets = { ...secrets };
  for (const [name, value] of Object.entries(configuration)) {
    if (!Object.hasOwn(connector.secrets.shape, name)) {
      rest[name] = value;
      continue;
    }
    const at = `/configuration${jsonPointer([name])}`;
    if (Object.hasOwn(secrets, name) && secrets[name] !== value)
      throw invalidProperty(at, "This secret stands in `secrets` too, with another value.");
    if (value !== null && typeof value !== "string") throw invalidProperty(at, "A secret is a text.");
    found[name] = value;
  }
  refuseUnfit(rest, "/configuration");
  const bytes = Buffer.byteLength(JSON.stringify(rest));
  if (bytes > METADATA_BYTES)
    throw invalidProperty("/configuration", `A configuration may take ${METADATA_BYTES} bytes; this takes ${bytes}.`);
  return { configuration: rest, secrets: found };
}

/** The secrets after a change: `null` clears, a placeholder keeps. Unknown names stay, for the check to find them. */
export function mergeSecrets(held: SecretValues, given: GivenSecrets): SecretValues {
  const values: Record<string, string> = { ...held };
  for (const [name, value] of Object.entries(given)) {
    if (value === null) delete values[name];
    else if (typeof value === "string" && value !== KEPT) values[name] = value;
  }
  return values;
}

/** What does not fit the connector. Nothing of a value is quoted. */
export function settingFaults(
  { configuration, secrets }: Connector,
  given: { readonly configuration: JsonObject; readonly secrets: SecretValues },
): FieldError[] {
  const parts = {
    configuration: configuration.safeParse(given.configuration),
    secrets: secrets.safeParse(given.secrets),
  };
  return Object.entries(parts).flatMap(([part, { error }]) =>
    error ? schemaFaults(error).map((fault) => ({ ...fault, pointer: `/${part}${fault.pointer}` })) : [],
  );
}

/** The settings, checked. 400 with every fault. */
export function checkedSettings(
  connector: Connector,
  given: { readonly configuration: JsonObject; readonly secrets: SecretValues },
): Settings {
  const errors = settingFaults(connector, given);
  if (errors.length > 0)
    throw new ReeveError("invalid_request", "The configuration does not fit the connector.", { errors });
  return { ...given, parsed: connector.configuration.parse(given.configuration) as JsonObject };
}
