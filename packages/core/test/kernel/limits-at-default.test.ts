import { type Answer, createPlane, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { KERNEL_DEFAULTS } from "#kernel/config/options.js";
import type { BucketName } from "#kernel/config/rate-limits.js";
import { createWorld } from "../helpers/world.js";

type Plane = ReturnType<typeof createPlane>;

let world: World;
let plane: Plane;
beforeEach(async () => {
  world = await createWorld();
  // Nobody sets a limit, so all are what they are by default.
  plane = createPlane({ store: world.store, ids: world.ids, clock: world.clock, rateLimits: undefined });
});

const remoteAddress = "198.51.100.44";
const read = (token: string) => plane.send("GET", "/api/v1/ai-assets/ast_none", { token });

/** Sends until a request is refused for this bucket. Resolves to how many passed. */
async function passedOf(bucket: BucketName, sends: readonly (() => Promise<Answer>)[]): Promise<number> {
  let passed = 0;
  for (const send of sends) {
    for (;;) {
      const { status, json } = await send();
      if (status === 429 && json["violated-policies"]?.includes(bucket)) return passed;
      if (status === 429) break;
      passed += 1;
    }
  }
  throw new Error(`nothing was refused for ${bucket}`);
}

/** How each limit is reached. A limit without an entry does not compile. */
const REACHED: Readonly<Record<BucketName, () => readonly (() => Promise<Answer>)[]>> = {
  tenant: () =>
    Object.values(world.a.actors).map(
      ({ token }) =>
        () =>
          read(token),
    ),
  principal: () => [() => read(world.a.owner.token)],
  address: () => [() => plane.send("GET", "/.well-known/jwks.json", { remoteAddress })],
  rejected: () => [() => plane.send("GET", "/api/v1/ai-assets", { remoteAddress, token: "x" })],
  credential: () => {
    const { username, password } = world.a.owner;
    return [() => plane.send("POST", "/api/v1/auth/signin", { remoteAddress, body: { username, password } })];
  },
  expensive: () => [
    () => plane.send("GET", "/api/v1/ai-governance/audit/verification", { token: world.a.owner.token }),
  ],
};

describe("a limit that nobody sets", () => {
  it.each(Object.entries(REACHED) as [BucketName, (typeof REACHED)[BucketName]][])(
    "refuses what %s has too much of, and nothing before",
    async (bucket, sendsOf) => {
      expect(await passedOf(bucket, sendsOf())).toBe(KERNEL_DEFAULTS.rateLimits[bucket]);
    },
  );
});
