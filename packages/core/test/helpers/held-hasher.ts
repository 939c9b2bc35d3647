import { type PasswordHasher, scryptHasher } from "../../src/index.js";

/** A real but cheap hasher whose next hash can be held, so that other requests come in between. */
export function heldHasher(): PasswordHasher & { hold(): { readonly reached: Promise<void>; release(): void } } {
  const inner = scryptHasher({ cost: 4, concurrency: 8, queue: 10_000 });
  let next: { reach(): void; readonly until: Promise<void> } | undefined;
  return {
    async hash(password) {
      const held = next;
      next = undefined;
      held?.reach();
      await held?.until;
      return inner.hash(password);
    },
    verify: (password, hash) => inner.verify(password, hash),
    hold() {
      let reach = () => {};
      let release = () => {};
      const reached = new Promise<void>((resolve) => {
        reach = resolve;
      });
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      next = { reach, until };
      return { reached, release };
    },
  };
}
