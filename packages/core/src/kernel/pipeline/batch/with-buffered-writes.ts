import { Context } from "../../operation/context.js";
import { unitOf } from "../../operation/unit-access.js";
import { BufferedTransaction } from "./buffered-transaction.js";
import { TakenKeys } from "./taken-keys.js";

const ONLY_PART = 0;

/**
 * Runs work that writes many records, in the open transaction. It answers repeated reads from memory and sends the
 * writes together, in few statements.
 */
export async function withBufferedWrites<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  const unit = unitOf(ctx);
  const held = new BufferedTransaction(unit.tx);
  held.begin(ONLY_PART);
  const inner = new Context(ctx.env, ctx.request, ctx.principal, unit.through(held));
  const result = await work(inner);
  try {
    await held.send();
  } catch (error) {
    throw error instanceof TakenKeys ? (error.errors.get(ONLY_PART) ?? error) : error;
  }
  return result;
}
