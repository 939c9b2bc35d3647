import { ReeveError } from "../../../../kernel/http/errors.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { isIdOf } from "../../../../store/collection.js";
import { foldUsername, users } from "../../../identity/index.js";
import { refusedDeciders } from "./may-decide.js";

/**
 * 403 `self_appointment_forbidden` where somebody puts themself into an office, such as that of an owner, or a machine
 * puts those there that it stands for. `named` are ids or addresses that did not hold the office before.
 */
export async function requireOtherHand(ctx: ReadContext, named: readonly string[], pointer: string): Promise<void> {
  const { kind, userId, username } = ctx.principal;
  if (kind === "system" || named.length === 0) return;
  const own = new Set([userId, foldUsername(username)]);
  if (named.some((id) => own.has(id) || own.has(foldUsername(id)))) throw ownHand(pointer);
  const people = (await ctx.db.getMany(users, [...new Set(named.filter((id) => isIdOf(users, id)))])).map(
    ({ value }) => value,
  );
  if ((await refusedDeciders(ctx, people, [userId])).size > 0) throw ownHand(pointer);
}

const ownHand = (pointer: string) => {
  const message = "Nobody puts themself into an office: somebody else names you.";
  return new ReeveError("self_appointment_forbidden", message, {
    errors: [{ pointer, code: "self_appointment_forbidden", message }],
  });
};
