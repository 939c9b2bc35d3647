import type { StoredRecord } from "@reeve/core/store";
import { defineCollection } from "@reeve/core/testing";
import { z } from "zod";

const Stored = { id: z.string(), version: z.number().int(), createdAt: z.string() };

/** A record with every kind of field. */
export interface Thing extends StoredRecord {
  readonly name: string;
  readonly kind: string | null;
  readonly status: string;
  readonly size: number | null;
  readonly active: boolean | null;
  readonly dueAt: string | null;
  readonly slug: string | null;
  readonly shelf: string | null;
  readonly slot: number | null;
  readonly keeper?: { readonly id: string };
  readonly note: string;
  readonly expiresAt: string | null;
  /** Not a field: only in the record's text. */
  readonly extra?: unknown;
}

/** A collection of tenant scope that uses every feature of the contract. */
export const things = defineCollection<Thing>({
  name: "contract_things",
  prefix: "thg",
  retain: true,
  schema: z.object({
    ...Stored,
    name: z.string(),
    kind: z.string().nullable(),
    status: z.string(),
    size: z.number().int().nullable(),
    active: z.boolean().nullable(),
    dueAt: z.string().nullable(),
    slug: z.string().nullable(),
    shelf: z.string().nullable(),
    slot: z.number().int().nullable(),
    keeper: z.object({ id: z.string() }).optional(),
    note: z.string(),
    expiresAt: z.string().nullable(),
    extra: z.unknown().optional(),
  }),
  fields: {
    name: { type: "text", compare: "exact" },
    kind: { type: "text" },
    status: { type: "text" },
    size: { type: "integer" },
    active: { type: "boolean" },
    dueAt: { type: "time" },
    slug: { type: "text", compare: "exact" },
    shelf: { type: "text", compare: "caseless" },
    slot: { type: "integer" },
    keeperId: { type: "text", of: (thing) => thing.keeper?.id },
  },
  indexes: [
    { where: ["name"] },
    { where: ["kind"] },
    { where: ["status"] },
    { where: ["size"] },
    { where: ["active"] },
    { where: ["dueAt"] },
    { where: ["keeperId"] },
    { where: ["kind", "status"] },
    { where: [], by: "name" },
    { where: [], by: "size" },
    { where: [], by: "dueAt" },
    { where: ["kind"], by: "size" },
    { where: ["status"], by: "dueAt" },
    { where: ["kind", "active"], by: "name" },
  ],
  unique: { slug: ["slug"], place: ["shelf", "slot"] },
  counted: ["kind", "status", "active"],
  search: (thing) => `${thing.name}\n${thing.note}`,
  staleAt: (thing) => thing.expiresAt,
});

/** A record of platform scope. */
export interface Account extends StoredRecord {
  readonly username: string;
  readonly nick: string | null;
  readonly email: string | null;
  readonly role: string;
}

/** A watched collection whose unique keys hold across tenants, but for one that holds within each. */
export const accounts = defineCollection<Account>({
  name: "contract_accounts",
  prefix: "acc",
  broadcast: true,
  scope: "platform",
  schema: z.object({
    ...Stored,
    username: z.string(),
    nick: z.string().nullable(),
    email: z.string().nullable(),
    role: z.string(),
  }),
  fields: { username: { type: "text" }, nick: { type: "text" }, email: { type: "text" }, role: { type: "text" } },
  indexes: [{ where: ["role"] }],
  unique: { username: ["username"], email: ["email"], nick: ["nick"] },
  uniqueInTenant: ["nick"],
  counted: ["role"],
});

/** A record whose id the caller chooses. */
export interface Setting extends StoredRecord {
  readonly value: unknown;
}

/** A collection without prefix, fields or keys. */
export const settings = defineCollection<Setting>({
  name: "contract_settings",
  prefix: null,
  schema: z.object({ ...Stored, value: z.unknown() }),
});

/** A record with many filters, orders and search. */
export interface Ticket extends StoredRecord {
  readonly team: string | null;
  readonly state: string;
  readonly grade: string | null;
  readonly open: boolean | null;
  readonly points: number | null;
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly text: string;
}

/** A collection with published filters and orders, and fewer indexes than there are combinations of them. */
export const tickets = defineCollection<Ticket>({
  name: "contract_tickets",
  prefix: "tkt",
  retain: true,
  schema: z.object({
    ...Stored,
    team: z.string().nullable(),
    state: z.string(),
    grade: z.string().nullable(),
    open: z.boolean().nullable(),
    points: z.number().int().nullable(),
    title: z.string().nullable(),
    tags: z.array(z.string()),
    text: z.string(),
  }),
  fields: {
    team: { type: "text" },
    state: { type: "text" },
    grade: { type: "text" },
    open: { type: "boolean" },
    points: { type: "integer" },
    title: { type: "text" },
    tags: { type: "texts" },
    stateAndGrade: { type: "text", combines: ["state", "grade"] },
    traits: { type: "text", combines: ["team", "state", "open"], partly: true },
  },
  indexes: [
    { where: ["team"] },
    { where: ["state"] },
    { where: [], by: "points" },
    { where: [], by: "title" },
    { where: ["state"], by: "points" },
  ],
  filters: { team: {}, state: {}, rank: { field: "grade" }, open: {}, tag: { field: "tags" } },
  orders: { points: "points", title: "title" },
  counted: ["state", "stateAndGrade", "traits"],
  search: (ticket) => ticket.text,
});
