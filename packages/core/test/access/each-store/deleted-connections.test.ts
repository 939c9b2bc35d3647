import { ConnectorError } from "@reeve/core/connectors";
import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessBench, type Bench } from "../../helpers/access.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const REASON = "reason=The+system+is+shut+down.";
const tick = () => world.controlPlane.tick();
const pathOf = ({ connectorInstanceId }: Bench) => `/api/v1/connector-instances/${connectorInstanceId}`;
const send = (method: string, path: string, token = world.a.owner.token) => world.send(method, path, { token });
const remove = (bench: Bench, query = "", token?: string) => send("DELETE", `${pathOf(bench)}?${query}`, token);
const statusOf = async (bench: Bench) => (await send("GET", pathOf(bench))).json.status;

/** A target whose one assignment is active. */
async function granted(more: object = {}) {
  const bench = await accessBench(world, more as never);
  const id = await bench.decide();
  await tick();
  expect([(await bench.read(id)).status, bench.account.held.size]).toEqual(["active", 1]);
  return { bench, id };
}

describe("a connection with access in force", () => {
  it("is not deleted without a word of what becomes of that, nor by a mode without a reason", async () => {
    const { bench } = await granted();
    expect((await remove(bench)).json).toMatchObject({ code: "has_active_assignments" });
    for (const mode of ["revoke_first", "orphan"])
      expect((await remove(bench, `mode=${mode}`)).json.code).toBe("missing_reason");
    expect((await remove(bench, `mode=keep&${REASON}`)).status).toBe(400);
    expect(await statusOf(bench)).toBe("active");
  });

  it("revoke_first is gone once the system has confirmed the end of it", async () => {
    const { bench, id } = await granted();
    let down = true;
    bench.account.script = (method) => {
      if (down && method === "revoke") throw new ConnectorError("transient", "It is away.");
    };
    expect((await remove(bench, `mode=revoke_first&${REASON}`)).status).toBe(204);
    expect([await statusOf(bench), (await bench.read(id)).status]).toEqual(["deleting", "revoking"]);
    await tick();
    expect([await statusOf(bench), bench.account.held.size]).toEqual(["deleting", 1]);
    down = false;
    world.clock.advance(600_000);
    await tick();
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoked", endReason: "connection_deleted" });
    expect([bench.account.held.size, (await send("GET", pathOf(bench))).status]).toEqual([0, 404]);
  });

  it("revoke_first that the system never confirms can still be orphaned", async () => {
    const { bench, id } = await granted();
    bench.account.script = (method) => {
      if (method === "revoke") throw new ConnectorError("auth", "The key is refused.");
    };
    await remove(bench, `mode=revoke_first&${REASON}`);
    await tick();
    expect(await statusOf(bench)).toBe("deleting");
    expect((await remove(bench)).json.code).toBe("has_active_assignments");
    expect((await remove(bench, `mode=orphan&${REASON}`)).status).toBe(204);
    expect([(await bench.read(id)).status, (await send("GET", pathOf(bench))).status]).toEqual(["orphaned", 404]);
  });

  it("orphan asks the system nothing, and the record says that it may have the access still", async () => {
    const { bench, id } = await granted();
    bench.account.calls.length = 0;
    expect((await remove(bench, `mode=orphan&${REASON}`)).status).toBe(204);
    world.clock.advance(7_200_000);
    await tick();
    expect([bench.account.calls, bench.account.held.size]).toEqual([[], 1]);
    expect(await bench.read(id)).toMatchObject({
      ...{ status: "orphaned", endReason: "connection_deleted", effective: false },
      ...{ targetState: "unknown", residualAccess: "possible", endedBy: world.a.owner.userId },
    });
    expect((await send("GET", pathOf(bench))).status).toBe(404);
  });

  it("ends for nobody who may not revoke access, and for no other tenant", async () => {
    const { bench, id } = await granted();
    const stranger = await remove(bench, `mode=orphan&${REASON}`, world.b.actors.owner.token);
    expect([stranger.status, (await bench.read(id)).status]).toEqual([404, "active"]);
    const remover = ["connector:read", "connector:delete"] as const;
    const other = await createWorld({
      roles: { remover: { description: "Removes connections", permissions: remover } },
    });
    const held = await accessBench(other);
    const access = await held.decide();
    await other.controlPlane.tick();
    const { token } = await other.a.newUser(["remover"]);
    for (const mode of ["orphan", "revoke_first"]) {
      const refused = await other.send("DELETE", `${pathOf(held)}?mode=${mode}&${REASON}`, { token });
      expect(refused.json).toMatchObject({ status: 403, code: "permission_denied" });
    }
    expect((await held.read(access)).status).toBe("active");
  });
});
