import { type Operation, type OperationId, operations } from "@reeve/core";
import type { Answer, Sending } from "./client.js";
import { samples } from "./samples.js";
import type { Actor, Scene } from "./scene.js";

/** Every operation, in the table's order. */
export const table: readonly Operation[] = operations as readonly Operation[];

/** A path with its parameters filled in, and the query that the sample cannot do without. */
export function pathOf(operation: Operation, params: Readonly<Record<string, string>>): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string));
  const { query } = sampleOf(operation);
  return query ? `${path}?${new URLSearchParams(query)}` : path;
}

/** A target with more query behind it, written with its question mark. */
export function withQuery(target: string, query: string): string {
  return target.includes("?") ? target + query.replace("?", "&") : target + query;
}

export function sampleOf(operation: Operation) {
  return samples[operation.id as OperationId];
}

/** Sends an operation's sample as `caller`; without one, as nobody. */
export async function sendSample(
  scene: Scene,
  operation: Operation,
  caller: Actor | undefined,
  more: Sending & { readonly params?: Readonly<Record<string, string>>; readonly query?: string } = {},
): Promise<Answer> {
  const sample = sampleOf(operation);
  const { params = (await sample.arrange?.(scene)) ?? {}, query = "", ...sending } = more;
  return scene.send(operation.method, withQuery(pathOf(operation, params), query), {
    token: operation.access === "public" ? undefined : caller?.token,
    body: sample.body?.(scene, caller ?? scene.owner),
    remoteAddress: scene.unique(),
    ...sending,
  });
}
