import type { JsonObject } from "#kernel/http/json-guard.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import { inTurns } from "#store/event-loop.js";
import { DIALECTS } from "./allow-list.js";
import { attributesOf } from "./allowed-attributes.js";
import type { Dialect, Role, Rule } from "./dialect-rules.js";
import { fitName } from "./fit-name.js";
import { type Received, recordsOf, type Scalar } from "./flatten-export.js";
import { pairTwins } from "./pair-twins.js";
import { type Reading, TOKENS, type Tokens, type Twin, type Use } from "./uses.js";

interface Known {
  readonly dialect: Dialect;
  readonly rule: Rule;
  readonly attributes: ReadonlySet<string>;
}

const knownFor = (signal: "logs" | "traces"): readonly Known[] =>
  DIALECTS.filter((one) => one.signal === signal).flatMap((dialect) =>
    dialect.rules.map((rule) => ({ dialect, rule, attributes: attributesOf(rule) })),
  );
const KNOWN = { logs: knownFor("logs"), traces: knownFor("traces") };

/** The calls that an export tells of. All else of it is forgotten here. */
export function readUses(signal: "logs" | "traces", body: JsonObject, nowMs: number): Promise<Reading> {
  return inTurns(reading(signal, body, nowMs));
}

function* reading(signal: "logs" | "traces", body: JsonObject, nowMs: number): Generator<void, Reading> {
  const uses: Use[] = [];
  const twins: Twin[] = [];
  const agents = new Set<string>();
  const dialects = new Map<string, { name: string; version: string | null }>();
  let [records, others, droppedAttributes] = [0, 0, 0];
  for (const record of recordsOf(signal, body)) {
    records += 1;
    const known = KNOWN[signal].find(({ rule }) => holds(rule, record));
    const read = known ? [...record.attributes.keys()].filter((name) => known.attributes.has(name)).length : 0;
    droppedAttributes += record.attributes.size - read;
    const use = known && useOf(known.rule, record, nowMs);
    const agent = known && nameIn(valuesOf(known.rule, record).agent);
    if (agent) agents.add(agent);
    if (known) {
      const { name, says } = known.dialect;
      const version = says === "nothing" ? null : record.versions[says];
      dialects.set(`${name} ${version}`, { name, version });
    }
    if (!known || !use) others += 1;
    else if (known.rule.isTwice)
      twins.push({ use, of: String(record.attributes.get("conversation.id")), hasTokens: use.tokens.input !== null });
    else uses.push(use);
    yield;
  }
  const { single, repeated } = pairTwins(twins);
  return {
    uses: [...uses, ...single],
    agents: [...agents],
    records,
    otherRecords: others + repeated,
    droppedAttributes,
    dialects: [...dialects.values()],
  };
}

function holds({ scopes, when }: Rule, { scope, attributes }: Received): boolean {
  if (scopes && !scopes.includes(scope)) return false;
  return when.every(([name, values]) => {
    const value = attributes.get(name);
    return value !== undefined && (values === null || values.includes(String(value)));
  });
}

function useOf(rule: Rule, record: Received, nowMs: number): Use | undefined {
  if (rule.kind === "aside") return undefined;
  const values = valuesOf(rule, record);
  const outcome = outcomeOf(record, values);
  if (rule.only === "failures" && outcome !== "failed") return undefined;
  if (rule.only === "refusals" && outcome !== "refused") return undefined;
  const at = momentOf(record.nanos, nowMs);
  const provider = nameIn(values.provider)?.replace(/\.(?:chat|responses|completion|embedding|messages)$/, "") ?? null;
  const server = nameIn(values.server);
  return {
    kind: rule.kind,
    at,
    keys: keysOf(rule, record),
    traceKey: rule.kind === "tool" || record.traceId === "" ? null : sha256(`trace ${record.traceId}`),
    provider: rule.kind === "tool" ? null : provider,
    model: rule.kind === "tool" ? null : nameIn(values.model),
    tool: toolOf(nameIn(values.tool), server),
    server,
    outcome,
    tokens: tokensOf(rule, values),
    costUsd: numberIn(values.costUsd),
    milliseconds: numberIn(values.milliseconds) ?? lengthOf(record),
  };
}

type Values = Readonly<Partial<Record<Role, Scalar>>>;

function valuesOf({ roles = {}, members = {} }: Rule, { attributes }: Received): Values {
  const inside = new Map(
    Object.entries(members).flatMap(([name, names]) => Object.entries(membersOf(attributes.get(name), name, names))),
  );
  const found = Object.entries(roles).map(([role, names]) => {
    const name = names.find((one) => (attributes.get(one) ?? inside.get(one) ?? "") !== "");
    return [role, name === undefined ? undefined : (attributes.get(name) ?? inside.get(name))] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** The named members of an attribute that holds JSON. */
function membersOf(text: Scalar | undefined, name: string, names: readonly string[]): Record<string, string> {
  if (typeof text !== "string") return {};
  try {
    const held = JSON.parse(text) as Record<string, unknown> | null;
    const found = names.flatMap((one) => {
      const value = held && Object.hasOwn(held, one) ? held[one] : undefined;
      return typeof value === "string" ? [[`${name}.${one}`, value] as const] : [];
    });
    return Object.fromEntries(found);
  } catch {
    return {};
  }
}

/** The most tokens of a call, and milliseconds that one takes, that are believed. */
const MOST = 1e9;

function numberIn(value: Scalar | undefined): number | null {
  if (value === undefined || value === "" || typeof value === "boolean") return null;
  const number = Number(value);
  return number >= 0 && number <= MOST ? number : null;
}

const nameIn = (value: Scalar | undefined): string | null => (typeof value === "string" ? fitName(value) : null);

function tokensOf({ lacks = {} }: Rule, values: Values): Tokens {
  const told = Object.fromEntries(
    TOKENS.map((part) => {
      const number = numberIn(values[part]);
      return [part, number === null ? null : Math.round(number)];
    }),
  ) as Tokens;
  const whole = (part: "input" | "output") =>
    (lacks[part] ?? []).reduce<number | null>((sum, other) => {
      const more = told[other as keyof Tokens];
      return sum === null || more === null ? null : sum + more;
    }, told[part]);
  return { ...told, input: whole("input"), output: whole("output") };
}

const REFUSED = /^(?:reject|rejected|denied|deny|abort|aborted)$/i;

function outcomeOf({ isFailed }: Received, { succeeded, error, httpStatus, decision }: Values): Use["outcome"] {
  if (typeof decision === "string" && REFUSED.test(decision)) return "refused";
  const status = numberIn(httpStatus);
  const failed = isFailed || error !== undefined || String(succeeded) === "false" || (status !== null && status >= 400);
  return failed ? "failed" : "done";
}

/** Clients name tools of MCP servers in ways of their own. */
function toolOf(tool: string | null, server: string | null): string | null {
  // How Claude Code names every tool of every server, unless it is told to say more.
  if (tool === "mcp_tool") return null;
  const mark = `mcp_${server}_`;
  return tool && server && tool.startsWith(mark) ? tool.slice(mark.length) : tool;
}

function lengthOf({ startNanos, nanos }: Received): number | null {
  if (startNanos === null || startNanos === "0" || nanos === "0") return null;
  const length = Number((BigInt(nanos) - BigInt(startNanos)) / 1_000n) / 1_000;
  return length >= 0 && length <= MOST ? length : null;
}

/** When it was, or now where its clock is too far off to tell. */
function momentOf(nanos: string, nowMs: number): string {
  const ms = Number(BigInt(nanos) / 1_000_000n);
  return timestamp(ms > nowMs - daysMs(2) && ms < nowMs + hoursMs(1) ? ms : nowMs);
}

function keysOf(rule: Rule, record: Received): string[] {
  const own: Record<string, string> = { "@trace": record.traceId, "@span": record.spanId, "@time": record.nanos };
  const partOf = (name: string) => (name.startsWith("@") ? own[name] : record.attributes.get(name));
  const told = (rule.keys ?? []).flatMap((names) => {
    const parts = names.map(partOf);
    if (parts.some((part) => part === undefined || part === "")) return [];
    return [sha256(JSON.stringify([names, parts.map(String)]))];
  });
  if (told.length > 0) return told;
  // What names no call is the same when all that is read of it is the same.
  const read = [...attributesOf(rule)].map((name) => [name, record.attributes.get(name) ?? null]);
  return [sha256(JSON.stringify([Object.values(own), read]))];
}
