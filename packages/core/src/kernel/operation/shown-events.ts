import type { StoredEvent } from "../../store/event-log.js";
import { defineService, type Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import type { Collection } from "../records/collection.js";

interface Guarded {
  /** How the attributes of an event of these records are written. */
  readonly mark: string;
  readonly permission: string;
}

/** The records whose events are for readers of these records only. Empty in an environment without a table. */
export const guardedEvents = defineService<readonly Guarded[]>("kernel.guardedEvents", () => []);

/** The records that declare who may read their events (`readBy`). */
export function guardedOf(collections: readonly Pick<Collection, "resource">[], typePrefix: string): Guarded[] {
  return collections.flatMap(({ resource }) =>
    resource?.readBy === undefined
      ? []
      : [{ mark: `"type":"${typePrefix}.${resource.event}.`, permission: resource.readBy }],
  );
}

/** How the caller sees events: without data where the record may not be read, unless it is the caller's own. */
export function eventView({
  env,
  principal,
}: {
  readonly env: Environment;
  readonly principal: Principal;
}): (event: StoredEvent) => StoredEvent {
  const hidden = env.use(guardedEvents).filter(({ permission }) => !principal.permissions.has(permission));
  if (hidden.length === 0) return (event) => event;
  const own = `"subject":${JSON.stringify(principal.userId)}`;
  return (event) => {
    const { attributes } = event;
    const isHidden = hidden.some(({ mark }) => attributes.includes(mark)) && !attributes.includes(own);
    return isHidden ? { ...event, data: null } : event;
  };
}
