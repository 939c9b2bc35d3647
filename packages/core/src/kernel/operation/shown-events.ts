import type { StoredEvent } from "#store/event-log.js";
import { defineService, type Environment } from "../config/environment.js";
import { defineExtensionPoint, type Extension, type ExtensionPoint, extend } from "../config/extension.js";
import type { Principal } from "../config/principal.js";
import type { Collection } from "../records/collection.js";

/** The permissions of which any reads the records of a kind, by the kind that events name as `subjecttype`. */
export type EventReaders = Readonly<Record<string, readonly string[]>>;

/** Who sees the data of events, by the kind of their subject. Of other kinds only the subject itself does. */
export const eventReaders = defineService<EventReaders>("kernel.eventReaders", () => ({}));

/** Extension point: who sees the data of events whose subject is no record of a collection. */
export const declaredReaders: ExtensionPoint<EventReaders> = defineExtensionPoint<EventReaders>("eventReaders");

/** Declares who sees the data of events about kinds that are no collections. The area lists it in `extends`. */
export function defineEventReaders(readers: EventReaders): Extension {
  return extend(declaredReaders, readers);
}

/** What an operation says of who may read at its path. */
interface Reading {
  readonly method: string;
  readonly path: string;
  readonly access: string | { readonly permission: string };
}

/**
 * Who reads the records of each kind: the operation at the path of the record or of its list says it, or `readBy`.
 * Throws for a collection that neither says it of.
 */
export function eventReadersOf(
  collections: readonly Pick<Collection, "name" | "resource">[],
  operations: readonly Reading[],
  declared: readonly EventReaders[] = [],
): EventReaders {
  const readers: Record<string, readonly string[]> = Object.assign({}, ...declared);
  for (const { name, resource } of collections) {
    if (!resource) continue;
    const { type, path, readBy } = resource;
    const paths = [new RegExp(`^${path}/\\{\\w+\\}$`), new RegExp(`^${path}$`)];
    const reads = paths.flatMap((at) => operations.filter((one) => one.method === "GET" && at.test(one.path)));
    const access = reads[0]?.access;
    const found = readBy ?? (typeof access === "object" ? [access.permission] : undefined);
    if (!found) throw new Error(`collection ${name}: no operation at ${path} reads it, and no readBy says what does`);
    readers[type] = found;
  }
  return Object.freeze(readers);
}

/** How the caller sees events: without data where the record may not be read, unless it is the caller's own. */
export function eventView({
  env,
  principal,
}: {
  readonly env: Environment;
  readonly principal: Principal;
}): (event: StoredEvent) => StoredEvent {
  const readers = env.use(eventReaders);
  const maySee = (kind: string) =>
    Object.hasOwn(readers, kind) && readers[kind]?.some((permission) => principal.permissions.has(permission)) === true;
  const own = `"subject":${JSON.stringify(principal.userId)}`;
  return (event) => (maySee(kindOf(event)) || event.attributes.includes(own) ? event : { ...event, data: null });
}

/** Attributes are canonical JSON, so a member has one spelling only, and quotes inside of a text are escaped. */
function kindOf({ attributes }: StoredEvent): string {
  return /"subjecttype":"([^"]*)"/.exec(attributes)?.[1] ?? "";
}
