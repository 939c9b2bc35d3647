import type { Principal } from "../config/principal.js";
import type { Context } from "./context.js";
import { ReadContext } from "./read-context.js";
import { transact } from "./transact.js";

/** The context of a handler that calls the outside: it reads, and opens transactions itself. */
export class OutsideContext extends ReadContext {
  /**
   * Runs `work` in one transaction of the principal's tenant. Do slow work (hashing, calls to the outside) before it.
   * `work` may run twice, so it must only write. Give `kind` to work that usually makes the same reads.
   */
  write<T>(work: (ctx: Context) => Promise<T>, as: Principal = this.principal, kind?: string): Promise<T> {
    return transact(this.env, { principal: as, facts: this.request, kind }, work);
  }
}
