import type { OperationTypes } from "./operations.generated.js";

/** The id of any operation, as a literal type. */
export type OperationId = keyof OperationTypes;

/** The input of an operation for `call`: parameters, query and body by its schemas, and the version to match. */
export type CallInput<Id extends OperationId> = OperationTypes[Id]["input"] & { readonly ifMatch?: number };

/** The result of an operation for `call`. */
export type CallOutput<Id extends OperationId> = OperationTypes[Id]["output"];

/** The request of `decide`, as in `aiPolicies.evaluate`. */
export type DecisionFields = CallInput<"aiPolicies.evaluate">["body"];

/** The result of `decide`. */
export type Decision = CallOutput<"aiPolicies.evaluate">;
