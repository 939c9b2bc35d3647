import { instances } from "#families/connectors/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { accessResources } from "./schema.js";

interface Owned {
  readonly resourceId: string;
  readonly connectorInstanceId: string;
}

/** Who answers for each of some resources: their own owners, or else those of their connection. */
export async function resourceOwners(
  ctx: ReadContext,
  some: readonly Owned[],
): Promise<(one: Owned) => readonly string[]> {
  const [resources, connections] = await Promise.all([
    ctx.db.getMany(accessResources, [...new Set(some.map(({ resourceId }) => resourceId))]),
    ctx.db.getMany(instances, [...new Set(some.map(({ connectorInstanceId }) => connectorInstanceId))]),
  ]);
  const owners = new Map([...resources, ...connections].map(({ id, value: { ownerIds } }) => [id, ownerIds]));
  return ({ resourceId, connectorInstanceId }) => {
    const own = owners.get(resourceId) ?? [];
    return own.length > 0 ? own : (owners.get(connectorInstanceId) ?? []);
  };
}
