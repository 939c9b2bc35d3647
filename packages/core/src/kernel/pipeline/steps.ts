import { andThen, type MaybePromise } from "../async/maybe-promise.js";
import type { Environment } from "../config/environment.js";
import { readBody } from "../http/body.js";
import { readForm } from "../http/body-form.js";
import { parseQuery } from "../http/target.js";
import { versionCondition } from "../http/version-condition.js";
import type { Gates } from "../operation/gates.js";
import { admitTenant, checkAccess } from "./access.js";
import { refuseCondition, requireCondition } from "./concurrency.js";
import { encodeResult, withWarnings } from "./encode.js";
import { execute } from "./execute.js";
import { boundFacts, dialectFacts, namedHeaders } from "./facts.js";
import { refuseForeignForm, refuseUnmeant } from "./foreign-form.js";
import { Hints } from "./hints.js";
import { idempotentRequest } from "./idempotency.js";
import { parseInput, queryNames } from "./input.js";
import { type Spending, spendingOf } from "./rate-limit/buckets.js";
import { renewalOf, reportedChanges } from "./renewal.js";
import type { Run, Way } from "./run.js";
import { requireStorable } from "./storable-input.js";
import { nearMisses, refuseUnknownFields, unknownFields } from "./unknown-fields.js";

/** What the steps of every run work with. */
export interface Tools {
  readonly env: Environment;
  readonly gates: Gates;
  readonly spend: (spending: Spending) => MaybePromise<Readonly<Record<string, string>>>;
}

/** A step refuses by throwing. */
export interface Step {
  readonly name: string;
  /** The ways on which it is taken. */
  readonly ways: readonly Way[];
  readonly take: (run: Run, tools: Tools) => MaybePromise<void>;
}

const EVERY_WAY: readonly Way[] = ["request", "call", "admission"];
const WITH_INPUT: readonly Way[] = ["request", "call"];
const OVER_HTTP: readonly Way[] = ["request"];

/** The steps before the caller may be told what they lack: what they ask, who they are, and whose tenant it is. */
export const ARRIVAL: readonly Step[] = [
  { name: "read the request", ways: OVER_HTTP, take: readRequest },
  { name: "identify the caller", ways: EVERY_WAY, take: identifyCaller },
  { name: "refuse forms of other sites", ways: OVER_HTTP, take: refuseForm },
  { name: "admit the tenant", ways: EVERY_WAY, take: admitCaller },
  { name: "spend the quota", ways: OVER_HTTP, take: spendQuota },
  { name: "bind the facts", ways: EVERY_WAY, take: bindFacts },
];

/** The steps whose refusals are recorded as denials. */
export const WORK: readonly Step[] = [
  { name: "check the access", ways: EVERY_WAY, take: requireAccess },
  { name: "check the conditions", ways: OVER_HTTP, take: checkConditions },
  { name: "read a body of another form", ways: OVER_HTTP, take: readOtherBody },
  { name: "refuse what no store keeps", ways: ["call"], take: ({ raw }) => requireStorable(raw) },
  { name: "parse the input", ways: WITH_INPUT, take: parse },
  { name: "refuse unknown fields", ways: WITH_INPUT, take: checkFields },
  { name: "find a repeated request", ways: OVER_HTTP, take: findRepeat },
  { name: "execute", ways: WITH_INPUT, take: executeOperation },
];

/** Takes the steps of a run in order. The first that refuses ends it. Steps that are all done at once cost no microtask. */
export function takeSteps(steps: readonly Step[], run: Run, tools: Tools, from = 0): MaybePromise<void> {
  for (let at = from; at < steps.length; at++) {
    const { ways, take } = steps[at] as Step;
    if (!ways.includes(run.start.way)) continue;
    const taken = take(run, tools);
    if (!(taken instanceof Promise)) continue;
    return at + 1 < steps.length ? taken.then(() => takeSteps(steps, run, tools, at + 1)) : taken;
  }
}

function readRequest(run: Run): MaybePromise<void> {
  const { operation, params = {}, http } = run.start;
  if (!http) return;
  const query = parseQuery(http.request.target, operation.openQuery ? queryNames(operation) : undefined);
  run.unless = versionCondition(http.request, "if-none-match");
  const read = operation.body && !operation.takes ? readBody(http.request, operation.dialect !== undefined) : undefined;
  return andThen(read, (body) => {
    run.raw = { params, query, body };
  });
}

function identifyCaller(run: Run, { env }: Tools): MaybePromise<void> {
  run.seen = env.use(reportedChanges).count;
  return andThen(run.start.identify(), (principal) => {
    run.principal = principal;
  });
}

function refuseForm({ start: { operation, http }, principal }: Run, { env: { options } }: Tools): void {
  if (!http) return;
  if (operation.ofPage || principal?.bySession) refuseUnmeant(operation, http.request, options.baseUrl);
  else if (principal) refuseForeignForm(operation, http.request, options.baseUrl);
}

function admitCaller(run: Run, { gates }: Tools): MaybePromise<void> {
  return andThen(admitTenant(gates, run.execution()), (tenant) => {
    run.tenant = tenant;
    if (run.principal) run.start.http?.span?.setAttribute("reeve.tenant.id", run.principal.tenantId);
  });
}

function spendQuota(run: Run, { spend }: Tools): MaybePromise<void> {
  const asked = spendingOf(run.start.operation, run.principal, run.facts.remoteAddress);
  return andThen(spend(asked), (limits) => {
    run.limits = limits;
    run.spending = asked;
  });
}

function bindFacts(run: Run, { env }: Tools): void {
  const { operation, http } = run.start;
  const more = operation.dialect && http ? dialectFacts(http.request, env.options) : undefined;
  const headers = operation.headers && http ? namedHeaders(http.request, operation.headers) : undefined;
  const bound = boundFacts(run.facts, run.tenant, more, headers);
  run.facts = operation.runsOthers ? { ...bound, identify: run.start.identify } : bound;
}

function requireAccess({ start: { operation }, principal, tenant }: Run, { env }: Tools): void {
  checkAccess(env, operation, principal, tenant);
}

function checkConditions({ start: { operation }, facts, unless }: Run, { env }: Tools): void {
  requireCondition(operation, facts.ifMatch, env.options);
  refuseCondition(operation, unless);
}

function readOtherBody(run: Run): MaybePromise<void> {
  const { operation, http } = run.start;
  if (!http || !operation.takes) return;
  return andThen(readForm(http.request, operation.takes), (body) => {
    run.raw = { ...run.raw, body };
  });
}

function parse(run: Run): void {
  run.input = parseInput(run.start.operation, run.raw);
}

function checkFields(run: Run): void {
  run.unknown = unknownFields(run.start.operation, run.raw.body);
  refuseUnknownFields(run.facts, run.unknown);
}

function findRepeat(run: Run, { env }: Tools): void {
  const { operation, http } = run.start;
  if (!http) return;
  const { query, body } = run.raw;
  const asked = { operation, principal: run.principal, path: http.path, query, body };
  run.once = idempotentRequest(http.request, asked, env.options);
}

function executeOperation(run: Run, { env, gates }: Tools): Promise<void> {
  const { operation, http } = run.start;
  const execution = run.execution(renewalOf(env, gates, run));
  if (!http) {
    return execute(env, execution, run.input, (result) => result).then((result) => {
      run.result = result;
    });
  }
  const hints = operation.hints && new Hints(env, execution, run.input);
  const warnings = nearMisses(run.unknown);
  const encode = (result: unknown) => withWarnings(encodeResult(operation, result, run.facts.mountPath), warnings);
  return execute(env, execution, run.input, encode, hints).then((answer) => {
    run.result = hints ? hints.added(answer) : answer;
  });
}
