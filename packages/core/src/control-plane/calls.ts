import { decideInProcess, evaluatePolicies } from "../families/governance/index.js";
import { principals } from "../families/identity/index.js";
import { operations } from "../families/index.js";
import type { HostPrincipal } from "../families/options.js";
import type { Environment } from "../kernel/config/environment.js";
import type { Principal } from "../kernel/config/principal.js";
import { ReeveError } from "../kernel/http/errors.js";
import { inProcess } from "../kernel/http/in-process.js";
import type { Operation } from "../kernel/operation/operation.js";
import type { BatchInputs, BatchOptions } from "../kernel/pipeline/batch/run.js";
import { type OperationInput, readInput } from "../kernel/pipeline/operation-input.js";
import type { Pipeline } from "../kernel/pipeline/pipeline.js";
import { nearNames } from "../names/index.js";
import { Batches } from "./batches.js";
import type { ControlPlane } from "./control-plane.js";
import type { Lifecycle } from "./lifecycle.js";
import type { CallInput, CallOutput, OperationId } from "./operation-types.js";
import { plainResult } from "./plain-result.js";

type Calls = Pick<ControlPlane, "call" | "decide" | "batch" | "importAssets" | "principalOf">;

const byId: ReadonlyMap<string, Operation> = new Map(
  (operations as readonly Operation[]).map((operation) => [operation.id, operation]),
);

/** Most names that an unknown one is answered with. */
const MOST_MEANT = 3;

/** Calls of operations in process, whether mounted or not. */
export function calls(env: Environment, pipeline: Pipeline, lifecycle: Lifecycle): Calls {
  const guarded = <R>(step: () => Promise<R>) => lifecycle.run(step);
  const batches = new Batches({ env, pipeline, guarded, plain: plainResult });
  return {
    async call<Id extends OperationId>(id: Id, principal: Principal | undefined, input?: CallInput<Id>) {
      const operation = operationOf(id);
      const { raw, ifMatch } = readInput(input as OperationInput | undefined);
      const result = await guarded(() => pipeline.call(operation, principal, raw, ifMatch));
      return plainResult(result) as CallOutput<Id>;
    },
    decide(principal, request) {
      return guarded(async () => {
        const facts = await pipeline.admit(evaluatePolicies, principal, `req_${env.ids.next(env.clock.now())}`);
        return decideInProcess(env, principal, facts, request);
      }).catch((thrown: unknown) => Promise.reject(inProcess(thrown)));
    },
    async batch(id, principal, inputs, options = {}) {
      const given = inputs as BatchInputs<OperationInput>;
      return batches.run(operationOf(id), principal, given, options as BatchOptions<unknown>);
    },
    async importAssets(principal, items, options = {}) {
      return batches.importAssets(operationOf("aiAssets.import"), principal, items, options);
    },
    async principalOf(person: string | HostPrincipal, userId?: string) {
      await lifecycle.entered();
      const known = env.use(principals);
      return typeof person === "string" ? known.of(person, userId ?? "") : known.ofHosted(person);
    },
  };
}

function operationOf(id: string): Operation {
  const operation = byId.get(id);
  if (!operation) throw new ReeveError("route_not_found", `There is no operation "${id}"${meant(id)}.`);
  return operation;
}

/** The operations that a wrong name may have meant. */
function meant(id: string): string {
  const names = nearNames(id, [...byId.keys()], MOST_MEANT).map((name) => `"${name}"`);
  return names.length > 0 ? `; did you mean ${names.join(" or ")}` : "; the reference of operations names them all";
}
