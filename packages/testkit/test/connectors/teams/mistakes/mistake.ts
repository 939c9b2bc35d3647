import { ConnectorError, type ErrorClass } from "@reeve/core/connectors";
import type { Methods } from "../connector.js";

/** A connector with one mistake, by the case of the conformance suite that is to find it. */
export type Mistake = readonly [what: string, finds: string, wrong: () => Partial<Methods>];

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** A check that passes. */
export const ORG = { id: "org", category: "auth", status: "pass", message: "The token is accepted." } as const;

/** Catches failures of some kind. */
export async function failing<T>(call: Promise<T>, kind: Partial<ConnectorError>, instead: () => T): Promise<T> {
  return call.catch((error: unknown) => {
    const same =
      ConnectorError.is(error) && Object.entries(kind).every(([key, value]) => Reflect.get(error, key) === value);
    if (same) return instead();
    throw error;
  });
}

export const throwing = (errorClass: ErrorClass) => () => {
  throw new ConnectorError(errorClass, "It failed.");
};
