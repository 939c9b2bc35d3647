import type { Principal } from "../config/principal.js";
import type { Context } from "./context.js";
import { ReadContext } from "./read-context.js";
import { transact } from "./transact.js";

/** What a handler works with that reaches outside: the reading side, and transactions that it opens when it is ready to write. */
export class OutsideContext extends ReadContext {
  /**
   * Runs `work` in one transaction of the principal's tenant, for operations that do slow things (hashing, calls to the
   * outside) before they write. `work` may run twice, so it only writes. Work of one `kind` reads alike most of the time.
   */
  write<T>(work: (ctx: Context) => Promise<T>, as: Principal = this.principal, kind?: string): Promise<T> {
    return transact(this.env, { principal: as, facts: this.request, kind }, work);
  }
}
