import { type Actor, linkTokenIn, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { issuePasswordLink, users } from "#families/identity/index.js";
import { PLATFORM_TENANT } from "#families/platform/tenants/fields.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { processContext } from "#kernel/operation/system-context.js";
import { activeDataKey } from "#kernel/operation/vault/data-keys.js";
import { ulidSource } from "#ports/ids.js";
import { aesSecretBox, lateSecretBox } from "#ports/secret-box.js";
import { environmentOf } from "../../helpers/environment.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let env: Environment;
let member: Actor;
beforeEach(async () => {
  world = await createWorld();
  member = await world.a.newUser(["member"]);
  const secretBox = lateSecretBox();
  env = environmentOf(world, { ids: ulidSource(), secretBox, mailer: world.mailbox });
  secretBox.fill(aesSecretBox((await activeDataKey(env, PLATFORM_TENANT, "service")).key));
});

/** As support does: in a transaction of the user's tenant. */
async function reset(): Promise<string> {
  const facts = { requestId: "reset", nowMs: world.clock.now(), mountPath: "" };
  const ctx = processContext(env, systemPrincipal(world.a.tenantId), facts);
  await ctx.write(async (inner) => issuePasswordLink(inner, await inner.getOrThrow(users, member.userId), "reset"));
  return linkTokenIn(await world.mailbox.next(member.username));
}

const setPassword = (token: string, newPassword = "an entirely new long phrase") =>
  world.send("POST", "/api/v1/auth/set-password", { body: { token, newPassword } });
const whoAmI = () => world.send("GET", "/api/v1/ai-assets", { token: member.token });

describe("a link to reset a password", () => {
  it("sets another, and every token of before is dead", async () => {
    const token = await reset();
    expect((await whoAmI()).status).toBe(200);
    expect((await setPassword(token)).json).toEqual({ username: member.username });
    expect((await whoAmI()).status).toBe(401);
    const body = { username: member.username, password: "an entirely new long phrase" };
    expect((await world.send("POST", "/api/v1/auth/signin", { body })).status).toBe(200);
    expect((await setPassword(token)).json.code).toBe("invalid_otp");
  });

  it("works for an hour", async () => {
    const token = await reset();
    world.clock.advance(3_600_000);
    expect((await setPassword(token)).json.code).toBe("invalid_otp");
  });

  it("dies with a change of the password, and with being disabled, for good", async () => {
    const changed = await reset();
    const body = { currentPassword: member.password, newPassword: "changed in the ordinary way" };
    expect((await world.send("POST", "/api/v1/auth/reset-password", { token: member.token, body })).status).toBe(200);
    expect((await setPassword(changed)).json.code).toBe("invalid_otp");

    member = await world.a.newUser(["member"]);
    const disabled = await reset();
    for (const status of ["disabled", "active"]) {
      const as = { token: world.a.owner.token, body: { status } };
      expect((await world.send("PATCH", `/api/v1/users/${member.userId}`, as)).status).toBe(200);
      expect((await setPassword(disabled)).json.code).toBe("invalid_otp");
    }
  });
});
