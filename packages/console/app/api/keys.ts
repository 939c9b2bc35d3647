/**
 * Keys of queries. The first member is the type of record as events name their subject, so that an event makes stale what
 * shows it: lists of the type, and everything about the record.
 */
export const listKey = (type: string, query: object = {}) => [type, "list", query] as const;
export const recordKey = (type: string, id: string, part = "record", query: object = {}) =>
  [type, id, part, query] as const;
/** What belongs to no record, as figures of an overview. Any event of these types makes it stale. */
export const figureKey = (name: string, types: readonly string[], query: object = {}) =>
  ["figure", name, types, query] as const;
