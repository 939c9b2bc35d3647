import type { Principal } from "@reeve/core/connectors";
import { z } from "zod";
import type { Server } from "./manifest.js";
import { writing } from "./session.js";

/** Milliseconds that the server waits for a session to be gone. */
const PATIENCE = 2_000;

/** Ends the sessions of a role on the whole server, but for the one that asks. */
export async function endSessions(ctx: Server, { externalId }: Principal): Promise<{ readonly ended: number }> {
  return writing(ctx, async (session) => {
    const found = await session.rows(
      z.object({ ended: z.boolean() }),
      `SELECT pg_terminate_backend(pid, $2) AS ended FROM pg_stat_activity
       WHERE usesysid::text = $1 AND pid <> pg_backend_pid()`,
      [externalId, PATIENCE],
    );
    return { ended: found.filter(({ ended }) => ended).length };
  });
}
