import type { ControlPlane } from "@reeve/core";
import { ApiDocument } from "./api-document.js";

type Publisher = Pick<ControlPlane, "operations" | "openapi">;

const ofPlanes = new WeakMap<Publisher, ApiDocument>();
const documents = new Map<string, ApiDocument>();
const numbers = new WeakMap<object, number>();
let numbered = 0;

function numberOf(operation: object): number {
  const known = numbers.get(operation);
  if (known !== undefined) return known;
  numbered += 1;
  numbers.set(operation, numbered);
  return numbered;
}

/**
 * The document that a control plane publishes. Control planes with the same operations share one, because to make it and
 * to compile its schemas takes long.
 */
export function publishedBy(controlPlane: Publisher): ApiDocument {
  const known = ofPlanes.get(controlPlane);
  if (known) return known;
  const key = controlPlane.operations.map(numberOf).join();
  const made = documents.get(key) ?? new ApiDocument(controlPlane.openapi());
  documents.set(key, made);
  ofPlanes.set(controlPlane, made);
  return made;
}
