import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Dialer } from "../connect/connection.js";
import type { Found } from "./diagnosis.js";
import { withClient } from "./with-client.js";

const HEARD_MS = 3_000;

/** Sends a notice to the server and listens for it by `directUrl`. A transaction pooler takes `LISTEN` and passes nothing on. */
export function directUrlFinding(server: Dialer, direct: Dialer): Promise<Found> {
  const channel = `reeve_${randomUUID()}`;
  return withClient(direct, async (listening) => {
    let timer: NodeJS.Timeout | undefined;
    const heard = new Promise<boolean>((resolve) => {
      listening.on("notification", () => resolve(true));
      timer = setTimeout(resolve, HEARD_MS, false);
    });
    await listening.query(`listen ${pg.escapeIdentifier(channel)}`);
    await withClient(server, (sending) => sending.query("select pg_notify($1, '')", [channel]));
    const passes = await heard;
    clearTimeout(timer);
    if (passes) return { outcome: "ok", detail: "it passes on notices of this server" };
    return {
      outcome: "fault",
      detail: "it passes on no notice of this server; name the server itself, past any pooler",
    };
  });
}
