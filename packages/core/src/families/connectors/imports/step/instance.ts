import { ConnectorError } from "#connectors/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type ConnectorInstance, instances } from "../../instances/schema.js";

/** The instance that an import is of. Rejects with `ConnectorError` where it is deleted, or about to be. */
export async function requireInstance(ctx: Pick<ReadContext, "db">, id: string): Promise<ConnectorInstance> {
  const instance = (await ctx.db.get(instances, id))?.value;
  if (instance && instance.status !== "deleting") return instance;
  throw new ConnectorError("config", "The instance is gone.", { code: "instance_gone" });
}
