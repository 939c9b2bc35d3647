import type { Principal } from "#kernel/config/principal.js";
import type { Reader } from "#store/store.js";
import { samlAssignments } from "../schema.js";

/** The subjects that stand for a principal, as assignments keep them. */
export function subjectsOf({ kind, userId, roles }: Principal): string[] {
  return kind === "client"
    ? [`ai_identity:${userId}`]
    : ["everyone", `user:${userId}`, ...roles.map((role) => `role:${role}`)];
}

/** Whether an application is assigned to a principal now. */
export async function isAssigned(reader: Reader, appId: string, principal: Principal): Promise<boolean> {
  const keys = subjectsOf(principal).map((subject) => ({ appId, subject }));
  return (await reader.lookupMany(samlAssignments, "subject", keys)).some((row) => row !== undefined);
}

const PAGE = 500;

/** The ids of the applications that are assigned to a principal. */
export async function assignedApps(reader: Reader, principal: Principal): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const subject of subjectsOf(principal)) {
    let found = await reader.find(samlAssignments, { where: { subject }, size: PAGE });
    for (const { value } of found.rows) ids.add(value.appId);
    while (found.next) {
      found = await reader.find(samlAssignments, { where: { subject }, size: PAGE, after: found.next });
      for (const { value } of found.rows) ids.add(value.appId);
    }
  }
  return ids;
}
