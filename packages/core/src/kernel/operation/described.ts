import { realSchema } from "#schema/lazy-schema.js";
import type { DescribedOperation, Operation } from "./operation.js";

type Schemas = Pick<DescribedOperation, "params" | "query" | "body">;

/** The same ones for each control plane of a process, so that what a tool makes of one serves for all. */
const known = new WeakMap<Operation, Operation>();

/** Operations as hosts and tools see them: their schemas are those of zod itself, each made when it is asked for. */
export function describedOperations(operations: readonly Operation[]): readonly Operation[] {
  return operations.map((operation) => {
    const described = known.get(operation) ?? describe(operation);
    known.set(operation, described);
    return described;
  });
}

function describe(operation: Operation): Operation {
  const own = Object.getOwnPropertyDescriptors(operation);
  for (const name of ["params", "query", "body"] satisfies (keyof Schemas)[])
    if (operation[name]) Object.assign(own, { [name]: asked(() => operation[name]) });
  const { success } = operation;
  const answered = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(success) });
  if (success.schema)
    Object.defineProperty(
      answered,
      "schema",
      asked(() => success.schema),
    );
  return Object.freeze(
    Object.defineProperties({}, { ...own, success: { value: answered, enumerable: true } }),
  ) as Operation;
}

const asked = (schema: () => unknown): PropertyDescriptor => ({ enumerable: true, get: () => realSchema(schema()) });
