/**
 * New records of which nobody is told unless their data say this. Evaluations and imports make thousands of them, so none is
 * looked at for it. Nothing else is known of a new record, and each change that may concern somebody has an event of its own.
 *
 * A new asset is `unreviewed` and not approved until any time, so nothing waits about it either.
 */
const CONCERNING: ReadonlyMap<string, string> = new Map([
  ["finding.opened", '"effectiveSeverity":"critical"'],
  ["asset.created", '"status":"discovered"'],
]);

/**
 * Whether nobody is to be told of what an event is about, by its type without prefix and version, and its data, which are
 * canonical JSON. Of what was erased nobody knows.
 */
export function concernsNobody(type: string, data: string | null): boolean {
  const concerning = CONCERNING.get(type);
  return concerning !== undefined && data !== null && !data.includes(concerning);
}
