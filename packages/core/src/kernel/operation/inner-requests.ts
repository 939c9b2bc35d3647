import { defineService } from "../config/environment.js";
import type { NeutralResponse } from "../http/http.js";
import type { Operation } from "./operation.js";
import type { ReadContext } from "./read-context.js";

/** What an operation asks of another one for its caller. */
export interface InnerRequest {
  readonly operation: Operation;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object | undefined;
  /** Headers by lower-case name, besides those of the outer request. */
  readonly headers: Readonly<Record<string, string>>;
}

type Send = (ctx: ReadContext, request: InnerRequest) => Promise<NeutralResponse>;

/** Sends requests of operations for their own callers, through every step. The pipeline provides it once it is there. */
export class InnerRequests {
  #send: Send | undefined;

  provide(send: Send): void {
    this.#send = send;
  }

  send(ctx: ReadContext, request: InnerRequest): Promise<NeutralResponse> {
    if (!this.#send) throw new Error("this control plane has no pipeline");
    return this.#send(ctx, request);
  }
}

export const innerRequests = defineService("kernel.innerRequests", () => new InnerRequests());
