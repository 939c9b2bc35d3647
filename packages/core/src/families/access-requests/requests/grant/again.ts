import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { reopen } from "../evaluate/evaluate.js";
import type { AccessRequest } from "../schema.js";
import { refuse } from "./refuse.js";

/** Has people decide again. What nobody can ask for any more is refused instead. */
export async function evaluateAgain(ctx: Context, request: AccessRequest, why: string): Promise<AccessRequest> {
  try {
    return await reopen(ctx, request, why);
  } catch (error) {
    if (ReeveError.is(error) && error.code === "not_requestable")
      return refuse(ctx, request, "not_requestable", error.message);
    throw error;
  }
}
