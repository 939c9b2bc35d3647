import { principals } from "../families/identity/index.js";
import { platformGates } from "../families/platform/index.js";
import { leaveTurn, placeInTurn } from "../kernel/async/turn-share.js";
import type { Environment } from "../kernel/config/environment.js";
import { ReeveError } from "../kernel/http/errors.js";
import type { NeutralRequest, NeutralResponse } from "../kernel/http/http.js";
import { innerRequests } from "../kernel/operation/inner-requests.js";
import { tableOf } from "../kernel/operation/table.js";
import { Pipeline } from "../kernel/pipeline/pipeline.js";
import { Router } from "../kernel/pipeline/router.js";
import { sendWithin } from "../kernel/pipeline/send-within.js";
import type { Lifecycle } from "./lifecycle.js";

/** The pipeline of the mounted operations. */
export function pipelineOf(env: Environment): Pipeline {
  const { operations } = env.use(tableOf);
  const accounts = env.use(principals);
  const authenticate = (request: NeutralRequest, at?: string) => accounts.authenticate(request, at);
  const bySession = (request: NeutralRequest) => accounts.ofBrowser(request);
  const pipeline = new Pipeline(env, new Router(operations), env.use(platformGates), authenticate, bySession);
  env.use(innerRequests).provide((ctx, request) => sendWithin(pipeline, ctx, request));
  return pipeline;
}

/**
 * Answers a request once everything is ready. Closing waits for it. A request of the host waits for nothing, so that
 * its routes go on when the store does not.
 */
export async function answer(
  pipeline: Pipeline,
  lifecycle: Lifecycle,
  request: NeutralRequest,
): Promise<NeutralResponse | undefined> {
  const match = pipeline.match(request);
  if (match === undefined) return undefined;
  try {
    lifecycle.enter();
  } catch (thrown) {
    return pipeline.refuse(request, match, thrown);
  }
  try {
    const waiting = lifecycle.entered();
    if (waiting) await waiting;
    const place = ReeveError.is(match) || !match.operation.probe ? placeInTurn(request) : undefined;
    if (place) await place;
    return await pipeline.handle(request, match);
  } catch (thrown) {
    return pipeline.refuse(request, match, thrown);
  } finally {
    leaveTurn(request);
    lifecycle.leave();
  }
}
