import type { OperationTypes } from "./operations.generated.js";

/** The id of any operation, known to the compiler. */
export type OperationId = keyof OperationTypes;

/** What `call` takes for an operation: its parameters, query and body as the schemas define them, and the version to match. */
export type CallInput<Id extends OperationId> = OperationTypes[Id]["input"] & { readonly ifMatch?: number };

/** What `call` gives for an operation. */
export type CallOutput<Id extends OperationId> = OperationTypes[Id]["output"];

/** What `decide` takes, as `aiPolicies.evaluate` does. */
export type DecisionFields = CallInput<"aiPolicies.evaluate">["body"];

/** What `decide` gives. */
export type Decision = CallOutput<"aiPolicies.evaluate">;
