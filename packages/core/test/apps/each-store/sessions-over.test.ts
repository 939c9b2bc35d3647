import { newApp, newSignOn } from "@reeve/testkit";
import { expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

it("a session at an application is not listed any more once it has ended by itself, whether or not a job has run", async () => {
  const world = await createWorld({ tokenLifetime: 86_400 });
  const { a } = world;
  const app = await newApp(a);
  const [leaver, caller] = [await a.newUser(["member"]), await a.newUser(["member"])];
  await newSignOn(a, leaver, app);
  expect((await world.send("GET", "/slo", { token: leaver.token })).status).toBe(200);
  await newSignOn(a, caller, app);
  const listed = async (query = "") => {
    const { token } = a.actors.owner;
    const { json } = await world.send("GET", `/api/v1/saml-apps/${app.id}/sessions?size=100${query}`, { token });
    expect([json.totalItems, json.totalRelation]).toEqual([json.items.length, "exact"]);
    return json.items as { userId: string; state: string; endsAt: string }[];
  };
  const both = await listed();
  expect(both).toMatchObject([
    { userId: caller.userId, state: "live" },
    { userId: leaver.userId, state: "ended" },
  ]);
  const end = Math.max(...both.map(({ endsAt }) => Date.parse(endsAt)));
  world.clock.advance(end - world.clock.now() - 1);
  a.actors.owner = await a.signIn(a.owner.userId, a.owner);
  expect(await listed("&state=live")).toMatchObject([{ userId: caller.userId }]);
  const later = await a.signIn(leaver.userId, leaver);
  await newSignOn(a, later, app);
  world.clock.advance(1);
  const left = [{ userId: leaver.userId, state: "live" }];
  expect(await listed()).toMatchObject(left);
  expect(await listed("&state=live")).toMatchObject(left);
  expect(await listed("&state=ended")).toEqual([]);
  await world.controlPlane.tick();
  expect(await listed()).toMatchObject(left);
});
