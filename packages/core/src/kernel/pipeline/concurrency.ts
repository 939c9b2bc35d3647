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

/** 400 for `If-None-Match` with a write. None keeps to it, so that "only create" would change what is there. */
export function refuseCondition({ method }: DescribedOperation, condition: VersionCondition | undefined): void {
  if (condition === undefined || method === "GET") return;
  throw new ReeveError(
    "invalid_request",
    "If-None-Match is for reads. A write takes If-Match with the version it is of.",
  );
}

/** Whether the operation changes the record in its path, so that `If-Match` applies. */
export function changesRecord(operation: DescribedOperation): boolean {
  return operation.path.includes("{id}") && ["PUT", "PATCH", "DELETE"].includes(operation.method);
}
