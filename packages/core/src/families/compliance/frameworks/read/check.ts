import type { FrameworkFields } from "#frameworks/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { type FieldError, ReeveError } from "#kernel/http/errors.js";
import { applicability } from "./applicability.js";

/** 400 with every fault of an uploaded framework that the schema cannot find. */
export function checkFramework(env: Environment, framework: FrameworkFields): void {
  const errors = [...relationFaults(framework), ...expressionFaults(env, framework)];
  if (errors.length > 0) throw new ReeveError("invalid_request", "The framework has faults.", { errors });
}

const fault = (pointer: string, message: string, code: string): FieldError => ({ pointer, code, message });

/** Duplicate ids, missing parents, and controls that are their own ancestors. */
function relationFaults({ controls }: FrameworkFields): FieldError[] {
  const first = new Map<string, number>();
  controls.forEach(({ id }, index) => {
    if (!first.has(id)) first.set(id, index);
  });
  const parents = new Map(controls.map(({ id, parent }) => [id, parent]));
  return controls.flatMap(({ id, parent }, index) => {
    const at = `/controls/${index}`;
    if (first.get(id) !== index) return [fault(`${at}/id`, `Another control is called "${id}".`, "duplicate_key")];
    if (parent === null) return [];
    if (!first.has(parent)) return [fault(`${at}/parent`, `There is no control "${parent}".`, "unknown_name")];
    return isWithinItself(id, parents) ? [fault(`${at}/parent`, "It would be part of itself.", "circular")] : [];
  });
}

function isWithinItself(id: string, parents: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>();
  for (let at = parents.get(id); at !== null && at !== undefined; at = parents.get(at)) {
    if (at === id) return true;
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return false;
}

function expressionFaults(env: Environment, { controls }: FrameworkFields): FieldError[] {
  const service = env.use(applicability);
  return controls.flatMap(({ applicability: source }, index) => {
    if (source === null) return [];
    const result = service.compile(source);
    if (result.ok) return [];
    const { code, message, line, column } = result.fault;
    return [fault(`/controls/${index}/applicability`, `${message} (line ${line}, column ${column})`, code)];
  });
}
