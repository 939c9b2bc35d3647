import { createPlane, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createWorld } from "../../helpers/world.js";

const STREAM = "/api/v1/ai/activity-stream";

interface News {
  /** The sequence to go on after. */
  readonly at: number;
  readonly retry: number;
  readonly events: readonly { readonly type: string; readonly sequence: string; readonly data: unknown }[];
}

/** An answer as `EventSource` reads it. */
function read(text: string): News {
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  const blocks = text.split("\n\n").slice(0, -1);
  return {
    at: Number(field(blocks.at(-1) ?? "", "id")),
    retry: Number(field(text, "retry")),
    events: blocks.slice(0, -1).map((block) => JSON.parse(field(block, "data") as string)),
  };
}

let world: World;
beforeAll(async () => {
  world = await createWorld({ rateLimits: "off" });
});

async function news(query = "", token = world.a.owner.token, headers: Record<string, string> = {}): Promise<News> {
  const { status, headers: told, text } = await world.send("GET", `${STREAM}?${query}`, { token, headers });
  expect(status, text).toBe(200);
  expect(told["content-type"]).toBe("text/event-stream; charset=utf-8");
  return read(text);
}

const newAsset = (name: string) => world.a.newAsset({ name });

describe("the stream of activity", () => {
  it("begins with what comes now, and goes on by sequence without a gap or a repeat", async () => {
    const { at, events } = await news();
    expect(events).toEqual([]);
    for (const name of ["First", "Second"]) await newAsset(name);
    const all = await news(`after=${at}`);
    expect(all.events.map(({ sequence }) => Number(sequence))).toEqual(
      Array.from({ length: all.events.length }, (_, index) => at + 1 + index),
    );
    const [first] = all.events;
    const rest = await news("", world.a.owner.token, { "last-event-id": String(at + 1) });
    expect([first, ...rest.events]).toEqual(all.events);
    expect(await news(`after=${all.at}`)).toEqual({ at: all.at, retry: 2_000, events: [] });
  });

  it("answers a request that waits once there is an event, which the next request brings at the latest", async () => {
    const { at } = await news();
    const waiting = news(`after=${at}&wait=25`);
    await newAsset("Awaited");
    const answer = await waiting;
    expect(answer.retry).toBe(500);
    const all = [...answer.events, ...(await news(`after=${answer.at}`)).events];
    expect(all.map(({ type }) => type)).toContain("reeve.asset.created.v1");
  });

  it("hears of what another process stores", async () => {
    const { at } = await news();
    const other = createPlane({ store: world.store, clock: world.clock });
    onTestFinished(() => void other);
    const waiting = news(`after=${at}&wait=25`);
    const principal = await other.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    await other.controlPlane.call("aiAssets.create", principal, { body: { name: "Elsewhere", assetType: "agent" } });
    expect((await waiting).retry).toBe(500);
  });

  it("answers at once, to be asked again later, where two hundred wait already", async () => {
    const { at } = await news();
    const waiting = Array.from({ length: 200 }, () => news(`after=${at}&wait=25`));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await news(`after=${at}&wait=25`)).retry).toBe(2_000);
    await newAsset("For all");
    expect(new Set((await Promise.all(waiting)).map(({ retry }) => retry))).toEqual(new Set([500]));
  });

  it("ends when its time is over", async () => {
    const { at } = await news();
    expect(await news(`after=${at}&wait=1`)).toMatchObject({ at, events: [] });
  });

  it("brings the types that are asked for, and moves on over the others", async () => {
    const { at } = await news();
    await newAsset("Typed");
    const { events, at: then } = await news(`after=${at}&type=asset.updated`);
    expect(events).toEqual([]);
    expect(then).toBeGreaterThan(at);
  });

  it("shows a tenant nothing of another, and no data of records that one may not read", async () => {
    const { at } = await news("", world.b.owner.token);
    const waiting = news(`after=${at}&wait=1`, world.b.owner.token);
    await newAsset("Ours");
    expect(await waiting).toMatchObject({ at, events: [] });
    const mine = await news("after=0");
    const listed = await world.send("GET", "/api/v1/ai/activity?size=100", { token: world.a.actors.member.token });
    const shown = new Map(listed.json.items.map((event: News["events"][number]) => [event.sequence, event.data]));
    const theirs = await news("after=0", world.a.actors.member.token);
    expect(theirs.events.length).toBe(mine.events.length);
    for (const { sequence, data } of theirs.events) if (shown.has(sequence)) expect(data).toEqual(shown.get(sequence));
  });

  it("refuses a wait that is too long, and whoever may not read the activity", async () => {
    const { token } = world.a.owner;
    expect((await world.send("GET", `${STREAM}?wait=26`, { token })).status).toBe(400);
    expect((await world.send("GET", STREAM, {})).status).toBe(401);
  });
});

it("ends its waits when the control plane closes", async () => {
  const closing = await createWorld({ rateLimits: "off" });
  const { token } = closing.a.owner;
  const { at } = read((await closing.send("GET", STREAM, { token })).text);
  const waiting = closing.send("GET", `${STREAM}?after=${at}&wait=25`, { token });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await closing.controlPlane.close();
  expect((await waiting).status).toBe(200);
});
