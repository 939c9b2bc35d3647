import { createWorld, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { storeAt } from "../helpers/address.js";
import { endClaim } from "../helpers/claims.js";
import { Planes, sending, tick } from "../helpers/planes.js";
import { RotatingTarget } from "../helpers/rotating-target.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const PATH = "/api/v1/connector-instances";
const REASON = "because a test wants it so";
/** Longer than a process may refresh secrets. */
const LEASE = 71_000;
/** Longer than a process reserves an import. */
const IMPORT_LEASE = 130_000;
const IMPORTED = { status: "completed", done: 500, failed: 0, counts: { create: 500, conflict: 0, rejected: 0 } };

describe.each(["sqlite", "postgres"] as const)("connections in two processes on one %s database", (kind) => {
  let world: World;
  let planes: Planes;
  let target: RotatingTarget;
  beforeAll(async () => {
    const address = await emptyDatabase(kind);
    const store = storeAt(address);
    undoLater(() => store.close());
    const config = { egressAllow: ["127.0.0.1/32"], tokenLifetime: 86_400 };
    world = await createWorld({ ...config, store, ids: ulidSource() });
    planes = await Planes.start(2, { address, config });
  });
  beforeEach(async () => {
    await planes.revive();
    target = await RotatingTarget.start();
  });

  const advance = (milliseconds: number) => {
    world.clock.advance(milliseconds);
    planes.now = new Date(world.clock.now()).toISOString();
  };
  const patch = (id: string, body: object) =>
    sending("PATCH", `${PATH}/${id}`, { token: world.a.owner.token, body: { reason: REASON, ...body } });
  const activate = (id: string) => patch(id, { status: "active" });
  const killSwitch = (status: string) =>
    sending("POST", "/api/v1/support/kill-switches/connectors.outbound", {
      token: world.provider.owner.token,
      body: { status, reason: REASON },
    });

  /** A connection that is out of use, and is tested with its stored credentials when it comes back. */
  async function connected(): Promise<string> {
    const { token, refreshToken } = target.current;
    const body = {
      providerKey: "rotating",
      status: "active",
      configuration: { url: target.url },
      secrets: { token, refreshToken },
    };
    const { status, json, text } = await planes.run(0, sending("POST", PATH, { token: world.a.owner.token, body }));
    expect(status, text).toBe(201);
    await planes.run(0, patch(json.id, { status: "disabled" }));
    return json.id;
  }

  /** Begins an import of 500 models. Returns where it is. */
  async function importing(): Promise<string> {
    const id = await connected();
    await planes.run(0, activate(id));
    const path = `/api/v1/integrations/${id}`;
    const begun = await planes.run(0, sending("POST", `${path}/import`, { token: world.a.owner.token, body: {} }));
    expect(begun.status, begun.text).toBe(201);
    return `${path}/imports/${begun.json.id}`;
  }

  it.each([1, 2, 3])("refresh a token once when both find it ended (round %i)", async () => {
    const id = await connected();
    target.expire();
    const held = target.hold("/token");
    const before = target.requests.length;
    const both = planes.all(activate(id));
    await held.arrived;
    await target.asked("/me", before + 2);
    held.release();
    expect((await both).map(({ status }) => status)).toEqual([200, 200]);
    expect([target.refreshes, target.reused]).toEqual([1, 0]);
  });

  it("keep what one refreshed after its lease, and not what the other brings later", async () => {
    const id = await connected();
    target.expire();
    const held = target.hold("/token");
    const late = planes.run(0, activate(id));
    await held.arrived;
    advance(LEASE);
    const taken = await planes.run(1, activate(id));
    expect([taken.status, target.refreshes]).toEqual([200, 1]);
    const stored = target.current;
    target.lie({ token: "an older token", refreshToken: "an older refresh token" });
    held.release();
    expect((await late).json.code).toBe("concurrent_modification");
    target.lie(undefined);
    await planes.run(0, patch(id, { status: "disabled" }));
    target.expire();
    expect((await planes.run(0, activate(id))).status).toBe(200);
    expect([target.refreshes, target.reused, target.current.refreshToken !== stored.refreshToken]).toEqual([
      2,
      0,
      true,
    ]);
  });

  it("go on after a process that dies while it refreshes", async () => {
    const id = await connected();
    target.expire();
    const held = target.hold("/token");
    const dying = planes.run(0, activate(id)).catch((error: Error) => error.message);
    await held.arrived;
    await planes.kill(0);
    expect(await dying).toContain("has ended");
    advance(LEASE);
    expect((await planes.run(1, activate(id))).status).toBe(200);
    expect([target.refreshes, target.reused]).toEqual([1, 0]);
    held.release();
  });

  it("carry an import on when the one that works on it is killed", async () => {
    const at = await importing();
    const held = target.hold("/models/200/200");
    const dying = planes.run(0, tick).catch((error: Error) => error.message);
    await held.arrived;
    await planes.kill(0);
    expect(await dying).toContain("has ended");
    await endClaim(world.store, world.a.tenantId);
    advance(IMPORT_LEASE);
    await planes.run(1, tick);
    expect((await planes.run(1, sending("GET", at, { token: world.a.owner.token }))).json).toMatchObject(IMPORTED);
    const pages = target.requests.filter((path) => path.startsWith("/models"));
    expect(pages).toEqual(["/models/0/200", "/models/200/200", "/models/200/200", "/models/400/200"]);
    held.release();
  });

  it("work on an import one at a time, and carry out each line once", async () => {
    const at = await importing();
    await planes.all(tick, tick, tick);
    await planes.run(0, tick);
    expect((await planes.run(1, sending("GET", at, { token: world.a.owner.token }))).json).toMatchObject(IMPORTED);
    const pages = target.requests.filter((path) => path.startsWith("/models"));
    expect(pages).toEqual(["/models/0/200", "/models/200/200", "/models/400/200"]);
  });

  it("call nothing while the other has switched calls off", async () => {
    const id = await connected();
    await planes.run(1, activate(id));
    await planes.run(1, patch(id, { status: "disabled" }));
    expect((await planes.run(0, killSwitch("engaged"))).status).toBe(200);
    advance(5_000);
    const before = target.requests.length;
    const refused = await planes.run(1, activate(id));
    expect([refused.status, refused.json.code]).toEqual([503, "kill_switch_active"]);
    expect(target.requests).toHaveLength(before);
    await planes.run(0, killSwitch("released"));
    advance(5_000);
    expect((await planes.run(1, activate(id))).status).toBe(200);
  });

  it("send nothing more in a call that is under way when the other switches calls off", async () => {
    const id = await connected();
    target.expire();
    const held = target.hold("/me");
    const running = planes.run(1, activate(id));
    await held.arrived;
    await planes.run(0, killSwitch("engaged"));
    advance(5_000);
    await planes.run(1, sending("GET", PATH, { token: world.a.owner.token }));
    held.release();
    const refused = await running;
    expect([refused.status, refused.json.code]).toEqual([503, "kill_switch_active"]);
    expect(target.requests.filter((path) => path === "/token")).toEqual([]);
    await planes.run(0, killSwitch("released"));
    advance(5_000);
  });
});
