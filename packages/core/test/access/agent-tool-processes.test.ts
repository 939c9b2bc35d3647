import { createWorld, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { storeAt } from "../helpers/address.js";
import { READ, type ToolBench, toolBench, WRITE } from "../helpers/agent-tools.js";
import { Planes, sending } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const REASON = { reason: "The agent does not need it." };

describe("tools for agents in two processes on one postgres database", () => {
  let world: World;
  let planes: Planes;
  let bench: ToolBench;
  beforeAll(async () => {
    const address = await emptyDatabase("postgres");
    const store = storeAt(address);
    undoLater(() => store.close());
    const config = { tokenLifetime: 86_400 };
    world = await createWorld({ ...config, store, ids: ulidSource() });
    planes = await Planes.start(2, { address, config });
  });
  beforeEach(async () => {
    bench = await toolBench(world);
    planes.now = new Date(world.clock.now()).toISOString();
  });

  const execute = (token: string, call: object = READ) =>
    sending("POST", "/api/v1/agent-tools/codehost/execute", { body: { token, ...call } });
  const revoke = () =>
    sending("POST", `/api/v1/access-assignments/${bench.assignmentId}/revoke`, {
      token: world.a.owner.token,
      body: REASON,
    });

  it("have the second call refused when another process has revoked the access between the two", async () => {
    const { token } = await bench.issue();
    expect((await planes.run(1, execute(token))).status).toBe(200);
    expect((await planes.run(0, revoke())).status).toBe(200);
    const after = await planes.run(1, execute(token));
    expect([after.status, after.json.code]).toEqual([401, "invalid_token"]);
  });

  it("let nobody in after a revocation that races with calls, 30 times", async () => {
    for (let round = 0; round < 30; round += 1) {
      const { token } = await bench.issue();
      const answers = await planes.race((process) =>
        process === 0 ? [revoke()] : [execute(token), execute(token), execute(token)],
      );
      const [revoked, ...calls] = answers;
      expect(revoked?.status, revoked?.text).toBe(200);
      for (const { status } of calls) expect([200, 401]).toContain(status);
      for (const process of [0, 1]) expect((await planes.run(process, execute(token))).status).toBe(401);
      Object.assign(bench, { assignmentId: await bench.grant() });
    }
  }, 120_000);

  it("issue twenty tokens at most, although both are asked for twenty-one at once", async () => {
    const path = `/api/v1/ai-assets/${bench.assetId}/agent-tool-token`;
    const { token } = world.a.owner;
    const answers = await planes.race((process) =>
      Array.from({ length: process === 0 ? 11 : 10 }, () => sending("POST", path, { token, body: {} })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ json }) => json.code === "limit_exceeded")).toHaveLength(1);
  });

  it("make a write with one key once, although both are asked for it at once, 20 times", async () => {
    const { token } = await bench.issue({ ttlSeconds: 3_600 });
    for (let round = 0; round < 20; round += 1) {
      const call = { ...WRITE, idempotencyKey: `round ${round}` };
      const answers = await planes.race(() => [execute(token, call)]);
      const first = answers.filter(({ json }) => json.replayed === false);
      expect(first, JSON.stringify(answers.map(({ json }) => json))).toHaveLength(1);
      for (const { status } of answers) expect([200, 409]).toContain(status);
      if (round % 10 === 9) {
        world.clock.advance(60_000);
        planes.now = new Date(world.clock.now()).toISOString();
      }
    }
  }, 120_000);
});
