import type { World } from "@reeve/testkit";
import { beforeAll, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const PHRASE = "na\u00efve \u00e9clair at caf\u00e9 \u00c5ngstr\u00f6m";
/** The phrase as other keyboards and browsers send it. */
const FORMS = [PHRASE, PHRASE.normalize("NFD"), PHRASE.replaceAll(" ", "\u00a0").normalize("NFD")];
const OTHERS = [PHRASE.toUpperCase(), PHRASE.replaceAll("\u00e9", "e"), PHRASE.replaceAll(" ", "  "), `${PHRASE} `];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

it.each(FORMS)("a password set as %j is right in each form, and no other text is", async (password) => {
  const { send, a } = world;
  const username = `${a.unique()}@example.test`;
  const body = { username, password, roles: ["member"] };
  expect((await send("POST", "/api/v1/users", { token: a.owner.token, body })).status).toBe(201);
  const enter = async (typed: string) =>
    send("POST", "/api/v1/auth/signin", { body: { username, password: typed }, remoteAddress: a.unique() });
  for (const typed of FORMS) expect((await enter(typed)).status).toBe(200);
  for (const typed of OTHERS) expect((await enter(typed)).status).toBe(401);

  const { token } = (await enter(password)).json;
  const change = { currentPassword: password.normalize("NFC"), newPassword: password.normalize("NFD") };
  const same = await send("POST", "/api/v1/auth/reset-password", { token, body: change });
  expect([same.status, same.json.code]).toEqual([400, "password_rejected"]);
});

it("a password is as long as its letters are, not as the marks on them", async () => {
  const { send, a } = world;
  const body = {
    username: `${a.unique()}@example.test`,
    password: "\u00e9\u00e8\u00ea\u00eb\u00f4\u00fb\u00ee".normalize("NFD"),
    roles: ["member"],
  };
  expect((await send("POST", "/api/v1/users", { token: a.owner.token, body })).json.code).toBe("password_rejected");
});

it("a name that is taken is taken in each form and case", async () => {
  const { send, a } = world;
  const make = (name: string) =>
    send("POST", "/api/v1/access-policies", { token: a.owner.token, body: { name, effect: "deny" } });
  expect((await make("Caf\u00e9 access")).status).toBe(201);
  for (const name of ["Cafe\u0301 access", "CAF\u00c9 ACCESS"]) {
    const again = await make(name);
    expect([again.status, again.json.code]).toEqual([409, "already_exists"]);
  }
});
