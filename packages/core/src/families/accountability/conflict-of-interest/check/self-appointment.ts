import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { refusedDeciders } from "./may-decide.js";

/**
 * 403 `self_appointment_forbidden` where somebody puts themself into an office, such as that of an owner, or a machine
 * puts those there that it stands for. `named` are ids or addresses that did not hold the office before.
 */
export async function refuseSelfAppointment(
  ctx: ReadContext,
  named: readonly string[],
  pointer: string,
): Promise<void> {
  const { kind, userId, username } = ctx.principal;
  if (kind === "system" || named.length === 0) return;
  const own = [userId, username].map(folded);
  if (named.some((id) => own.includes(folded(id)))) throw selfAppointment(pointer);
  const people = named.map((id) => ({ id, username: id }));
  if ((await refusedDeciders(ctx, people, [userId])).size > 0) throw selfAppointment(pointer);
}

const folded = (name: string) => name.normalize("NFKC").toLowerCase();

const selfAppointment = (pointer: string) => {
  const message = "You cannot put yourself into an office: somebody else names you.";
  return new ReeveError("self_appointment_forbidden", message, {
    errors: [{ pointer, code: "self_appointment_forbidden", message }],
  });
};
