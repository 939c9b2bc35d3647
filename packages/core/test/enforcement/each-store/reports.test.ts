import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventTypes, headOf } from "../../helpers/facts.js";
import { publicationBench } from "../../helpers/publication-bench.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let scene: Scene;
let second: Actor;
type Benches = ReturnType<typeof publicationBench>;
let asOwner: Benches["asOwner"];
let newServer: Benches["newServer"];
let bench: Benches["bench"];
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
  second = await scene.newUser(["governance_officer"]);
  ({ asOwner, newServer, bench } = publicationBench(world, scene, second));
});

const MINUTE = 60_000;
const OTHER = "0".repeat(64);
const now = () => new Date(world.clock.now()).toISOString();

describe("what is in force on a machine", () => {
  it("is unknown, in force, older, something else or silent, each since when", async () => {
    const [one, two] = [await newServer(), await newServer()];
    const { poll, report, shown, use, installation } = await bench("codex", [one, two]);
    expect(await shown()).toMatchObject({ effect: "unknown", effectSince: installation.enrolledAt, report: null });
    const first = await poll();
    const at = now();
    expect(await report({ digest: first.digest, files: 1, fetchedAt: at })).toMatchObject({ effect: "in_force" });
    expect(await shown()).toMatchObject({ effect: "in_force", effectSince: at, report: { number: 1, fetchedAt: at } });
    world.clock.advance(MINUTE);
    await use([one]);
    const next = await poll();
    expect(await shown()).toMatchObject({ effect: "older", effectSince: now() });
    world.clock.advance(MINUTE);
    expect(await report({ digest: OTHER, files: 0 })).toMatchObject({
      ...{ effect: "other", effectSince: now() },
      report: { number: null, fetchedAt: null },
    });
    await report({ digest: next.digest, files: 1, clientVersion: "0.171.0" });
    world.clock.advance(60 * MINUTE);
    expect(await shown()).toMatchObject({ effect: "in_force", clientVersion: "0.171.0" });
    const last = (await shown()).report.at;
    world.clock.advance(1);
    expect(await shown()).toMatchObject({ effect: "silent", effectSince: last });
    const { items } = await asOwner("GET", "/ai/installations?size=100");
    const said = new Set(items.map(({ effect }: { effect: string }) => effect));
    expect([...said]).toEqual(expect.arrayContaining(["silent"]));
  });

  it("is told once however often it is reported, and again when it changes", async () => {
    const { poll, report } = await bench("codex", []);
    const { digest } = await poll();
    const before = await headOf(scene);
    for (let times = 0; times < 3; times += 1) {
      await report({ digest, files: 1 });
      world.clock.advance(MINUTE);
    }
    expect(await eventTypes(scene, before)).toEqual(["installation.reported"]);
    await report({ digest: OTHER, files: 1 });
    expect(await eventTypes(scene, before)).toHaveLength(2);
  });

  it("names servers that were not published, without what may be secret", async () => {
    const [known, local] = [
      await newServer(),
      await newServer({ transport: "stdio", url: null, launch: { command: "npx", args: ["-y", "files"] } }),
    ];
    const { poll, report } = await bench("codex", [known, local]);
    const { digest } = await poll();
    const servers = [
      { name: "renamed", url: known.url },
      { name: "local", command: "npx", args: ["-y", "files"] },
      { name: "other-args", command: "/opt/bin/npx", args: ["-y", "files", "--token=hunter2"] },
      { name: "far", url: "https://user:hunter2@mcp.evil.example/path?key=hunter2" },
      { name: "broken", url: "hunter2" },
    ];
    const seen = await report({ digest, files: 1, servers });
    const at = now();
    expect(seen.unpublishedServers).toEqual([
      { name: "other-args", kind: "command", shown: "npx", identity: expect.any(String), firstSeenAt: at },
      { name: "far", kind: "url", shown: "mcp.evil.example", identity: expect.any(String), firstSeenAt: at },
      { name: "broken", kind: "url", shown: "(unreadable)", identity: expect.any(String), firstSeenAt: at },
    ]);
    expect(seen.report.servers).toBe(5);
    const { items } = await asOwner("GET", `/ai/activity?size=50`);
    expect(JSON.stringify([seen, items])).not.toContain("hunter2");
    world.clock.advance(MINUTE);
    const later = await report({ digest, files: 1, servers: servers.slice(2, 4) });
    expect(later.unpublishedServers.map((one: { firstSeenAt: string }) => one.firstSeenAt)).toEqual([at, at]);
    // Who says nothing of servers leaves what is known.
    expect((await report({ digest, files: 1 })).unpublishedServers).toHaveLength(2);
    expect((await report({ digest, files: 1, servers: [] })).unpublishedServers).toEqual([]);
  });

  it("is said by the installation alone, in a form that is checked", async () => {
    const { credential } = await bench("codex", []);
    const send = (token: string, body: object) =>
      world.send("POST", "/api/v1/ai/installation/report", { token, body }).then(({ status }) => status);
    expect(await send(scene.owner.token, { digest: OTHER, files: 1 })).toBe(403);
    expect(await send(world.b.owner.token, { digest: OTHER, files: 1 })).toBe(403);
    for (const body of [
      { digest: "short", files: 1 },
      { digest: OTHER, files: -1 },
      { digest: OTHER, files: 1, servers: [{ name: "both", url: "https://a.example", command: "a" }] },
      { digest: OTHER, files: 1, servers: [{ name: "neither" }] },
      { digest: OTHER, files: 1, servers: Array(201).fill({ name: "many", command: "a" }) },
    ])
      expect(await send(credential, body), JSON.stringify(body).slice(0, 80)).toBe(400);
  });
});
