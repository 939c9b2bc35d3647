import { declaredEvents } from "#families/events.js";
import { defineService } from "#kernel/config/environment.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
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
export function wholeTypes(ctx: ReadContext, given: readonly string[]): string[] {
  return typesAs(ctx, given, (message) => {
    const errors = [{ parameter: "type", code: "invalid_parameter", message }] as const;
    return new ReeveError("invalid_parameter", undefined, { errors });
  });
}

/** 400 for a type in the property `types` of a body that no event can have. */
export function requireEventTypes(ctx: ReadContext, given: readonly string[]): void {
  typesAs(ctx, given, (message) => invalidProperty("/types", message));
}

function typesAs({ env }: ReadContext, given: readonly string[], refusal: (message: string) => ReeveError): string[] {
  const { eventTypePrefix: prefix } = env.options;
  const known = env.use(eventTypes);
  return given.map((type) => {
    const bare = type.startsWith(`${prefix}.`) ? type.slice(prefix.length + 1).replace(/\.v1$/, "") : type;
    if (known.has(bare)) return `${prefix}.${bare}.v1`;
    throw refusal(`There are no events of this type. Known are: ${[...known].join(", ")}.`);
  });
}
