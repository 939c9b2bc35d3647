import { type Operation, type OperationId, operations } from "@reeve/core";
import type { Answer, Sending } from "./client.js";
import { samples } from "./samples.js";
import type { Actor, Scene } from "./scene.js";

/** Every operation, in the table's order. */
export const table: readonly Operation[] = operations as readonly Operation[];

/** A path with its parameters filled in. */
export function pathOf(operation: Operation, params: Readonly<Record<string, string>>): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string));
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
  return scene.send(operation.method, pathOf(operation, params) + query, {
    token: operation.access === "public" ? undefined : caller?.token,
    body: sample.body?.(scene, caller ?? scene.owner),
    remoteAddress: scene.unique(),
    ...sending,
  });
}
