import { expect, it } from "vitest";
import { RevokedTokens, revokedTokens } from "#families/identity/tokens/revoked-tokens.js";
import { manualClock, timestamp } from "#ports/clock.js";
import { environmentOf } from "../../helpers/environment.js";
import { emptyStore } from "../../helpers/stores.js";

const START = "2026-01-05T09:00:00.000Z";
const MINUTE = 60_000;
/** More than one query reads. */
const MANY = 1_000;

it("knows of a revocation that was committed late, however many were committed before it", async () => {
  const store = await emptyStore();
  await store.migrate();
  const clock = manualClock(START);
  const revoked = (id: string, at: number) => ({
    id,
    version: 1,
    createdAt: timestamp(at),
    expiresAt: timestamp(clock.now() + 60 * MINUTE),
  });
  const ours = store.forTenant("ours");
  await ours.insertMany(
    revokedTokens,
    Array.from({ length: MANY }, (_, n) => revoked(`early-${n}`, clock.now() + n)),
  );
  clock.advance(MANY);
  const held = new RevokedTokens(environmentOf({ store, clock }));
  expect(await held.has("ours", "early-0")).toBe(true);
  expect(await held.has("ours", "late")).toBe(false);

  // It is dated nine minutes back, as if its transaction had been slow or its clock late.
  await ours.insert(revokedTokens, revoked("late", clock.now() - 9 * MINUTE));
  clock.advance(MINUTE);
  expect(await held.has("ours", "late")).toBe(true);
  expect(await held.has("theirs", "late")).toBe(false);
});
