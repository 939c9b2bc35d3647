import type { KernelOptions } from "../config/options.js";
import { ReeveError } from "../http/errors.js";
import type { VersionCondition } from "../http/version-condition.js";
import type { DescribedOperation, Operation } from "../operation/operation.js";

/** 428 where the deployment requires `If-Match` and a change of an existing record came without it. */
export function requireCondition(
  operation: Operation,
  condition: VersionCondition | undefined,
  options: Pick<KernelOptions, "requireIfMatch">,
): void {
  if (!options.requireIfMatch || condition !== undefined || !changesRecord(operation)) return;
  throw new ReeveError("precondition_required");
}

/** Whether the operation changes the record in its path, so that `If-Match` applies. */
export function changesRecord(operation: DescribedOperation): boolean {
  return operation.path.includes("{id}") && ["PUT", "PATCH", "DELETE"].includes(operation.method);
}
