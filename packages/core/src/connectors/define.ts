import { z } from "#schema/z.js";
import { mistakesOf } from "./check.js";
import type { Connector, ConnectorMethods } from "./connector.js";
import type { Manifest } from "./manifest.js";

/** What an author writes. */
export type ConnectorSpec<C extends z.ZodObject, S extends z.ZodObject> = ConnectorMethods<
  Readonly<z.output<C>>,
  Readonly<z.output<S>>
> & {
  readonly manifest: Manifest;
  readonly configuration: C;
  /** None when absent. */
  readonly secrets?: S;
};

/**
 * A connector, checked as a whole. Throws `TypeError` with every mistake: capabilities that are not implemented,
 * schemas that JSON Schema cannot say, names that collide.
 */
export function defineConnector<C extends z.ZodObject, S extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  spec: ConnectorSpec<C, S>,
): Connector {
  const connector: Connector = {
    ...spec,
    configuration: spec.configuration.strict(),
    secrets: (spec.secrets ?? z.object({})).strict(),
  };
  const mistakes = mistakesOf(connector);
  if (mistakes.length > 0)
    throw new TypeError(`connector ${spec.manifest.providerKey}:\n${mistakes.map((one) => `- ${one}`).join("\n")}`);
  return Object.freeze(connector);
}
