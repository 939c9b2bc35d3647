import type { Query, Rows, Values } from "@reeve/store-sql";

/** Runs a read on a connection of its own, or on a transaction's. */
export type Read = (query: Query, values: Values) => Promise<Rows>;
