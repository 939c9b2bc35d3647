import type { Ask } from "../../decisions/ask/request.js";
import { LONGEST } from "../../decisions/record/masks.js";
import type { DecisionReason, Evaluation } from "../../decisions/schema.js";
import type { CompiledPolicy, CompiledRule } from "../../policies/compile/compile.js";

/** The logged part of a decision and its request. */
export interface LoggedDecision {
  readonly status: Evaluation["status"];
  readonly subject: { readonly type: string; readonly id: string };
  readonly action: { readonly name: string };
  readonly resource: { readonly type: string; readonly id: string };
  readonly reasons: readonly Pick<DecisionReason, "code" | "policyKey">[];
  readonly approvalId: string | null;
  /** Logged values of the request, by path. */
  readonly input: Readonly<Record<string, string | number | boolean>>;
}

interface Node {
  [name: string]: Node | string | number | boolean;
}

/** The logged values, without texts that may have been truncated. */
export function inputOf({ input }: LoggedDecision): LoggedDecision["input"] {
  const whole = ([, value]: [string, unknown]) => typeof value !== "string" || value.length < LONGEST;
  return Object.fromEntries(Object.entries(input).filter(whole));
}

/** The request, as far as it was logged. */
export function loggedAsk(logged: LoggedDecision): Ask {
  const { subject, action, resource } = logged;
  const root: Node = {
    subject: { ...subject, properties: {} },
    action: { ...action, properties: {} },
    resource: { ...resource, properties: {} },
    context: {},
  };
  for (const [path, value] of Object.entries(inputOf(logged))) {
    const steps = path.split(".");
    const last = steps.pop() as string;
    let node = root;
    for (const step of steps) {
      if (!Object.hasOwn(node, step)) Object.defineProperty(node, step, { value: {}, ...PLAIN });
      node = node[step] as Node;
    }
    Object.defineProperty(node, last, { value, ...PLAIN });
  }
  return root as unknown as Ask;
}

const PLAIN = { enumerable: true, writable: true, configurable: true };

/** The rules of a policy that read only logged fields. Empty when its selector reads others. */
export function decidableRules(
  { selector, rules }: CompiledPolicy,
  isLogged: (path: string) => boolean,
): CompiledRule[] {
  if (selector && !selector.reads.every(isLogged)) return [];
  return rules.filter(({ reads }) => reads.every(isLogged));
}

const FREE = /^(?:context|(?:subject|action|resource)\.properties)(?:$|[.[])/;

/** What is never logged, and not in the history of assets either. */
const UNREPORTED = /^(?:spec|session|tenant|asset\.effects)(?:$|[.[])/;

/** Whether a field of a request was logged, so that a rule reads the same value as then. */
export function isLoggedIn(logged: LoggedDecision, knowsAsset: boolean): (path: string) => boolean {
  const input = inputOf(logged);
  return (path) => {
    if (UNREPORTED.test(path)) return false;
    return FREE.test(path) ? Object.hasOwn(input, path) : knowsAsset || !path.startsWith("asset");
  };
}
