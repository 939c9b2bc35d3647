import type { Store } from "@reeve/core/store";
import { createPlane, createTenant } from "@reeve/testkit";

/** What operations answer with everything in order: a list, a create, the ping, and a sign-in with a wrong password. */
export const ANSWERED = [200, 201, 200, 401];

/** A control plane on a store, and a question to four of its operations. Of a 503 the answer is its code. */
export async function askedOf(store: Store): Promise<() => Promise<unknown[]>> {
  const plane = createPlane({ store });
  await plane.controlPlane.ready();
  const { token } = (await createTenant(plane, "served")).owner;
  let n = 0;
  return async () => {
    n += 1;
    const body = { name: `asset ${n}`, assetType: "application" };
    const headers = { "idempotency-key": `key-${n}` };
    const answers = await Promise.all([
      plane.send("GET", "/api/v1/ai-assets", { token }),
      plane.send("POST", "/api/v1/ai-assets", { token, body, headers }),
      plane.send("GET", "/api/v1/monitor/ping"),
      plane.send("POST", "/api/v1/auth/signin", { body: { username: "served@example.test", password: "a wrong one" } }),
    ]);
    return answers.map(({ status, json }) => (status === 503 ? json.code : status));
  };
}
