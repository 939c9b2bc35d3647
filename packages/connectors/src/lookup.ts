import { ConnectorError, type Principal, type PrincipalLookup } from "@reeve/core/connectors";

/**
 * What is said of a principal that somebody names. Where nobody fits, `others` are who may be meant: a target that shows
 * nobody at all may hide everybody, and tells nothing.
 */
export async function lookupOf(
  fitting: readonly Principal[],
  others: () => Promise<readonly Principal[]>,
): Promise<PrincipalLookup> {
  const [principal, another] = fitting;
  if (another) return { outcome: "ambiguous", candidates: fitting };
  if (principal) return { outcome: "found", principal };
  const candidates = await others();
  return candidates.length > 0 ? { outcome: "absent", candidates } : { outcome: "unknown" };
}

/** What is read of somebody by a text that may be no id at all: `undefined` where the target says that there is none. */
export async function orNone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    const isRefused = ConnectorError.is(error) && (REFUSED.has(error.httpStatus ?? 0) || error.code === "invalid_id");
    if (isRefused) return undefined;
    throw error;
  }
}

/** What HTTP answers where there is nobody, or where a text is no id or no filter that it can read. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 410, 422, 501]);

/** The beginning of a name, by which a target is asked for others. */
export const beginningOf = (named: string): string => [...named].slice(0, 2).join("");

export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
