import type { ReadContext } from "./read-context.js";
import type { UnitOfWork } from "./unit-of-work.js";

type Access = (ctx: never) => UnitOfWork;

let access: Access | undefined;

/** Called once by the class `Context`, because only it can read its private unit of work. */
export function grantAccess(granted: Access): void {
  access = granted;
}

/** The unit of work of a context, with its transaction. Only the kernel may import this. */
export function unitOf(ctx: ReadContext): UnitOfWork {
  if (!access) throw new Error("there are no contexts yet");
  return access(ctx as never);
}
