import { declaredEvents, joinedEvents, type OwnEvents } from "#families/events.js";
import { SEVERITIES } from "#families/findings/index.js";
import { builtinFrameworks } from "#frameworks/index.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { canonical } from "#kernel/events/canonical.js";
import { DEFAULT_SIZE, MAX_SIZE, PAGE_WINDOW } from "#kernel/operation/page.js";
import { REASON_LENGTH } from "#kernel/operation/stops.js";
import { tableOf } from "#kernel/operation/table.js";
import type { Collection } from "#kernel/records/collection.js";
import { METADATA_BYTES } from "#kernel/records/generic-body.js";
import type { Machine } from "#kernel/records/machine.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { EXEMPTION_DAYS, MOST_MATCHED } from "../exemptions/rules.js";
import { engineOf } from "../policies/compile/compile.js";
import { REVIEW_ACTIONS } from "../reviews/perform/actions.js";
import { celOf } from "./enum-vocabularies.js";
import type { DomainEnums } from "./schema.js";

/** The vocabularies as text, with their digest, built on first use. */
export const domainEnums = defineService("governance.enums", (env) => {
  let made: Promise<{ readonly text: string; readonly digest: string }> | undefined;
  return {
    get: () => {
      made ??= written(env);
      return made;
    },
  };
});

async function written(env: Environment) {
  const { collections } = env.use(tableOf);
  const records = collections.filter(({ resource }) => resource);
  const content: Omit<DomainEnums, "digest"> = {
    schemaVersion: 1,
    enums: Object.fromEntries(records.flatMap(enumsOf)),
    machines: Object.fromEntries(records.flatMap(machinesOf)),
    reviewActions: Object.entries(REVIEW_ACTIONS).map(
      ([action, { allowedFrom, requires, ownerMay = false, ...rest }]) => ({
        action,
        ...rest,
        ownerMay,
        allowedFrom: [...allowedFrom],
        requires: [...requires],
      }),
    ),
    eventTypes: eventTypesOf(records, joinedEvents(env.use(declaredEvents))),
    cel: celOf(engineOf(env)),
    frameworks: (await builtinFrameworks()).map(({ key, name, edition, version, controls }) => ({
      key,
      name,
      edition,
      version,
      controls: controls.length,
    })),
    limits: {
      pageSize: DEFAULT_SIZE,
      mostPageSize: MAX_SIZE,
      pageWindow: PAGE_WINDOW,
      metadataBytes: METADATA_BYTES,
      leastReasonLength: REASON_LENGTH,
      exemptionDays: EXEMPTION_DAYS.default,
      mostExemptionDays: EXEMPTION_DAYS.most,
      mostExemptionDaysCritical: EXEMPTION_DAYS.mostCritical,
      mostExemptedFindings: MOST_MATCHED,
    },
  };
  const digest = sha256(canonical(content));
  return { text: JSON.stringify({ ...content, digest }), digest };
}

// biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
type AnyCollection = Collection<any>;

/** The enum fields of a record, by `<record>.<field>`. */
function enumsOf({ schema, resource, machines = {} }: AnyCollection): [string, DomainEnums["enums"][string]][] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([field, type]) => {
    const values = optionsOf(type);
    if (!values) return [];
    const machine = machines[field];
    const ordered = values.join() === SEVERITIES.join();
    const reported = values.map((value, index) => ({
      value,
      label: labelOf(value),
      description: machine?.states[value] ?? null,
      ordinal: ordered ? index + 1 : null,
      terminal: machine !== undefined && !machine.transitions.some(({ from }) => from.includes(value)),
    }));
    return [[`${resource?.type}.${field}`, { open: false, values: reported }]];
  });
}

/** The values of an enum type, also inside wrappers. `undefined` for other types. */
function optionsOf(type: unknown): readonly string[] | undefined {
  if (type instanceof z.ZodEnum) return type.options as string[];
  if (type instanceof z.ZodNullable || type instanceof z.ZodOptional || type instanceof z.ZodDefault) {
    return optionsOf(type.unwrap());
  }
  return type instanceof z.ZodArray ? optionsOf(type.element) : undefined;
}

function labelOf(value: string): string {
  const words = value.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function machinesOf({ resource, machines = {} }: AnyCollection): [string, DomainEnums["machines"][string]][] {
  return Object.values(machines).map((machine: Machine) => [
    machine.name,
    {
      records: resource?.type ?? "",
      field: machine.field,
      eventType: machine.eventType,
      initial: [...machine.initial],
      transitions: machine.transitions.map((row) => ({
        event: row.event,
        from: [...row.from],
        to: row.to,
        guards: (row.guards ?? []).map((key) => ({ key, description: machine.guards[key]?.description ?? "" })),
        requiresReason: row.needsReason ?? false,
        stops: row.stops ?? false,
        permission: row.permission ?? null,
        fourEyes: row.fourEyes ?? false,
        automatic: row.automatic ?? false,
      })),
    },
  ]);
}

/** Event types without prefix and version. */
function eventTypesOf(records: readonly AnyCollection[], ownEvents: OwnEvents): DomainEnums["eventTypes"] {
  const ofRecords = records.flatMap(({ resource, machines = {} }) => [
    ...(resource?.ownEvents
      ? []
      : [
          { type: `${resource?.event}.created`, description: "A record was stored." },
          { type: `${resource?.event}.updated`, description: "Fields other than states changed." },
          { type: `${resource?.event}.deleted`, description: "It was taken out of every read." },
        ]),
    ...Object.values(machines).map(({ eventType, name }) => ({ type: eventType, description: `${name} moved.` })),
  ]);
  const own = Object.entries(ownEvents).map(([type, description]) => ({ type, description }));
  return [...ofRecords, ...own].sort((one, other) => (one.type < other.type ? -1 : 1));
}
