import { optionsOf } from "../families/options.js";
import { interfaceDescription } from "../families/platform/index.js";
import { openSessionGuard } from "../families/sessions/guard/watch/open.js";
import { ReeveError } from "../kernel/http/errors.js";
import type { NeutralRequest } from "../kernel/http/http.js";
import { describedOperations } from "../kernel/operation/described.js";
import { tableOf } from "../kernel/operation/table.js";
import { mountCheck } from "../mount/base-url.js";
import { answerFetch } from "../mount/fetch.js";
import { administration, runTick } from "./administration.js";
import { calls } from "./calls.js";
import type { ControlPlaneConfig } from "./config.js";
import type { ControlPlane } from "./control-plane.js";
import { environmentOf } from "./environment.js";
import { Lifecycle } from "./lifecycle.js";
import { answer, pipelineOf } from "./requests.js";
import { Ticker } from "./ticker.js";

/**
 * Builds a control plane. Throws for invalid options and for mistakes in the operation table, before it touches the
 * store.
 */
export function createControlPlane(config: ControlPlaneConfig): ControlPlane {
  const { env, secretBox } = checked(() => environmentOf(config));
  const pipeline = pipelineOf(env);
  const lifecycle = new Lifecycle(env, secretBox);
  const ticker = new Ticker(env, optionsOf(env).tickSeconds, (signal) => runTick(env, lifecycle, undefined, signal));
  const checkMount = mountCheck(env.options.baseUrl, env.logger);
  const handle = (request: NeutralRequest) => {
    checkMount(request.mountPath);
    return answer(pipeline, lifecycle, request);
  };
  let operations: ControlPlane["operations"] | undefined;
  return {
    get operations() {
      operations ??= describedOperations(env.use(tableOf).operations);
      return operations;
    },
    openapi: () => env.use(interfaceDescription).document(),
    ready: () => lifecycle.ready(),
    close: () => lifecycle.close(ticker.stop()),
    handle,
    fetch: (request, options) => answerFetch(handle, request, options),
    sessionGuard: (options) => lifecycle.run(() => openSessionGuard(env, options)),
    ...calls(env, pipeline, lifecycle),
    ...administration(env, lifecycle, ticker),
  };
}

/** A refused option points at the call of the host, which is where it is mended. Other faults keep where they arose. */
function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (fault) {
    if (ReeveError.is(fault)) Error.captureStackTrace?.(fault, createControlPlane);
    throw fault;
  }
}
