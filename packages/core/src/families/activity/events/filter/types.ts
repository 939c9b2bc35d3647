import { declaredEvents } from "#families/events.js";
import { defineService } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { tableOf } from "#kernel/operation/table.js";

/** Every type of event that there can be, without prefix and version, in alphabetical order. */
const eventTypes = defineService<ReadonlySet<string>>("activity.eventTypes", (env) => {
  const ofRecords = env
    .use(tableOf)
    .collections.flatMap(({ resource, machines = {} }) => [
      ...(resource ? ["created", "updated", "deleted"].map((verb) => `${resource.event}.${verb}`) : []),
      ...Object.values(machines).map(({ eventType }) => eventType),
    ]);
  const own = env.use(declaredEvents).flatMap((events) => Object.keys(events));
  return new Set([...ofRecords, ...own].sort());
});

/** Types as events hold them. 400 for one that no event can have. */
export function wholeTypes({ env }: ReadContext, given: readonly string[]): string[] {
  const { eventTypePrefix: prefix } = env.options;
  const known = env.use(eventTypes);
  return given.map((type) => {
    const bare = type.startsWith(`${prefix}.`) ? type.slice(prefix.length + 1).replace(/\.v1$/, "") : type;
    if (known.has(bare)) return `${prefix}.${bare}.v1`;
    const message = `There are no events of this type. Known are: ${[...known].join(", ")}.`;
    throw new ReeveError("invalid_parameter", undefined, {
      errors: [{ parameter: "type", code: "invalid_parameter", message }],
    });
  });
}
