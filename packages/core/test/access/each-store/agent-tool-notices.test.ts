import type { World } from "@reeve/testkit";
import { beforeEach, expect, it } from "vitest";
import { READ, toolBench } from "../../helpers/agent-tools.js";
import { createWorld } from "../../helpers/world.js";

const FIVE_MINUTES = 300_000;
const AT = "https://mcp.example/files";

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const tick = () => world.controlPlane.tick();
const scansOf = (at: string) =>
  world.mcp.calls.filter(({ kind, target }) => kind === "observe" && (target.url ?? target.command) === at).length;

it.each([
  ["an address", { transport: "streamable_http", url: AT }, { url: AT, command: null }, AT],
  ["a command", { transport: "stdio", url: null, command: "files" }, { url: null, command: "files" }, "files"],
])(
  "a server at %s that changes its offer in calls is scanned, every five minutes at most",
  async (_what, given, changed, at) => {
    const bench = await toolBench(world);
    const fields = { auth: { type: "none" }, scanIntervalSec: null, ...given };
    await world.a.newMcpServer(fields);
    await world.b.newMcpServer(fields);
    const { token } = await bench.issue();
    await tick();
    const run = async () => expect((await bench.run(token)).json.status).toBe("ok");
    await run();
    await tick();
    expect(scansOf(at)).toBe(0);
    bench.account.changed = changed;
    await run();
    await tick();
    // Only the server of this tenant.
    expect(scansOf(at)).toBe(1);
    await run();
    await run();
    await tick();
    expect(scansOf(at)).toBe(1);
    world.clock.advance(FIVE_MINUTES + 1);
    await tick();
    expect(scansOf(at)).toBe(2);
    world.clock.advance(FIVE_MINUTES + 1);
    await tick();
    expect(scansOf(at)).toBe(2);
  },
);

it("a server that changes its offer in a test of the runtime is scanned", async () => {
  const bench = await toolBench(world);
  await world.a.newMcpServer({ url: AT, auth: { type: "none" }, scanIntervalSec: null });
  await tick();
  bench.account.changed = { url: AT, command: null };
  const path = `/api/v1/ai-assets/${bench.assetId}/runtime-test`;
  const body = { ...READ, execute: true, reason: "because a test wants it so" };
  const answer = await world.send("POST", path, { token: world.a.owner.token, body });
  expect([answer.status, answer.json.verdict], answer.text).toEqual([200, "pass"]);
  await tick();
  expect(scansOf(AT)).toBe(1);
});
