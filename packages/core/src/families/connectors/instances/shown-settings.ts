import type { Connector } from "#connectors/connector.js";
import type { ShownSecrets } from "./fields.js";
import type { SecretValues } from "./instance-secrets.js";

/** The names of secrets that differ. */
export function changedSecrets(before: SecretValues, after: SecretValues): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

/** Which secrets of a connector are set, and since when. */
export function shownSecrets(
  { secrets }: Connector,
  values: SecretValues,
  now: string,
  before: { readonly values: SecretValues; readonly shown: ShownSecrets } = { values: {}, shown: {} },
): ShownSecrets {
  const changed = changedSecrets(before.values, values);
  const entries = Object.keys(secrets.shape).map((name) => {
    const set = Object.hasOwn(values, name);
    const updatedAt = changed.includes(name) ? now : (before.shown[name]?.updatedAt ?? null);
    return [name, { set, updatedAt }] as const;
  });
  return Object.fromEntries(entries);
}
