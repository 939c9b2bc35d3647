import { effectOf, type Operation } from "#kernel/operation/operation.js";
import type { OperationTable } from "#kernel/operation/table.js";
import { toolMistakes } from "#kernel/operation/tools.js";
import { z } from "#schema/z.js";

const ID = /^[a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*)+$/;

/** The mistakes in a table, which is a constant and so is checked here rather than at each start. */
export function tableMistakes(operations: readonly Operation[], tags: OperationTable["tags"]): string[] {
  const mistakes: string[] = [];
  const ids = new Set<string>();
  const shapes = new Map<string, string>();
  for (const operation of operations) {
    const say = (what: string) => mistakes.push(`${operation.id}: ${what}`);
    if (!ID.test(operation.id)) say("id is not <resource>.<verb>");
    if (ids.has(operation.id)) say("id is used twice");
    ids.add(operation.id);
    const shape = `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, "{}")}`;
    if (shapes.has(shape)) say(`same route as ${shapes.get(shape)}`);
    shapes.set(shape, operation.id);
    if (!Object.hasOwn(tags, operation.tag)) say(`unknown tag "${operation.tag}"`);
    if (!/^[A-Z].*[^.]$/.test(operation.summary)) say("summary must be one sentence without a full stop");
    if (!operation.mount && !operation.path.startsWith("/api/v1/")) say("path outside /api/v1 needs a mount");
    const isEmpty = operation.success.status === 204 || operation.success.status === 303;
    if (isEmpty === Boolean(operation.success.schema ?? operation.success.media))
      say("204, 303 and a schema exclude each other");
    for (const mistake of [...parameterMistakes(operation), ...toolMistakes(operation)]) say(mistake);
    if (operation.deprecated && !(Date.parse(operation.deprecated.since) < Date.parse(operation.deprecated.sunset)))
      say("a deprecated operation has a sunset after its deprecation");
    if (operation.hints && effectOf(operation) !== "write") say("hints go behind the commit of a write");
    if (operation.access === "public" && effectOf(operation) === "write")
      say("an operation without a bearer opens its own transactions");
    if (operation.method === "GET" && (operation.body || effectOf(operation) === "write"))
      say("GET neither takes a body nor writes");
    if ((operation.method === "GET" && effectOf(operation) !== "read") !== (operation.proof !== undefined))
      say("a GET that does more than read, and no other operation, says what shows that its sender means it");
  }
  return mistakes;
}

function parameterMistakes(operation: Operation): string[] {
  const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const inPath = operation.below ? [...named, "below"] : named;
  const declared = operation.params instanceof z.ZodObject ? Object.keys(operation.params.shape) : [];
  return [
    ...inPath.filter((name) => !declared.includes(name)).map((name) => `path parameter "${name}" is not declared`),
    ...declared.filter((name) => !inPath.includes(name)).map((name) => `parameter "${name}" is not in the path`),
  ];
}
