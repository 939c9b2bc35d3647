import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type HttpAnswer, served } from "../../helpers/adapters.js";
import { createWorld } from "../../helpers/world.js";

interface Reported {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: { readonly after?: { readonly username: string } } | null;
}

const ACTIVITY = "/api/v1/ai/activity";

describe("S20 what happens to people", () => {
  let world: World;
  let get: (path: string, token?: string) => Promise<HttpAnswer>;
  let person: Actor;
  beforeAll(async () => {
    world = await createWorld({ rateLimits: "off" });
    person = await world.a.newUser(["operator"]);
    get = await served(world);
  });

  const itemsOf = async (who: Actor, path: string): Promise<Reported[]> => {
    const { status, json } = await get(path, who.token);
    expect(status, JSON.stringify(json)).toBe(200);
    return json.items;
  };
  const created = (who: Actor) => itemsOf(who, `${ACTIVITY}/${person.userId}?type=user.created`);

  it("is shown without data to those who may not read users", async () => {
    const { member, auditor } = world.a.actors;
    expect((await get("/api/v1/users", member.token)).status).toBe(403);
    for (const path of [ACTIVITY, `${ACTIVITY}/${person.userId}`, `${ACTIVITY}?type=user.created,user.signed_in`]) {
      const shown = await itemsOf(member, path);
      const ofPeople = shown.filter(({ type }) => type.startsWith("reeve.user."));
      expect(ofPeople.length, path).toBeGreaterThan(0);
      expect(ofPeople.filter(({ subject, data }) => data !== null && subject !== member.userId)).toEqual([]);
      expect(JSON.stringify(shown)).not.toContain(person.username);
    }
    expect((await created(auditor))[0]?.data?.after?.username).toBe(person.username);
  });

  it("is found by nobody who may not read it", async () => {
    const search = `${ACTIVITY}?search=${encodeURIComponent(person.username)}`;
    expect((await itemsOf(world.a.actors.auditor, search)).length).toBeGreaterThan(0);
    expect(await itemsOf(world.a.actors.member, search)).toEqual([]);
  });

  it("is shown to the one it happened to", async () => {
    expect((await created(person))[0]?.data?.after?.username).toBe(person.username);
  });

  it("is shown without data in the overview", async () => {
    const { json } = await get("/api/v1/ai/overview", world.a.actors.member.token);
    expect(JSON.stringify(json.activity.last)).toContain(person.userId);
    expect(JSON.stringify(json.activity.last)).not.toContain(person.username);
  });
});
