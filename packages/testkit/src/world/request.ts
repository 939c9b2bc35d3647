import type { OperationId } from "@reeve/core";
import { type Operation, operations } from "@reeve/core/reference";
import type { Answer, Sending } from "./client.js";
import type { Sample } from "./sample.js";
import { samples } from "./samples.js";
import type { Actor, Scene } from "./scene.js";

/** Every operation, in the table's order. */
export const table: readonly Operation[] = operations as readonly Operation[];

/** A path with its parameters, and with the query that the sample requires of this tenant. */
export function pathOf(operation: Operation, params: Readonly<Record<string, string>>, scene?: Scene): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string));
  const { query: given } = sampleOf(operation) as Sample;
  const query = typeof given === "function" ? scene && given(scene) : given;
  return query ? `${path}?${new URLSearchParams(query)}` : path;
}

/** Adds to the query of a target. `query` begins with a question mark. */
export function withQuery(target: string, query: string): string {
  return target.includes("?") ? target + query.replace("?", "&") : target + query;
}

/** The headers that an operation's sample requires. */
export function headersOf(operation: Operation): Readonly<Record<string, string>> {
  const { ifMatch, accept } = sampleOf(operation);
  return {
    ...(accept === undefined ? {} : { accept }),
    ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
    ...(operation.ofPage ? { "x-reeve-page": "1" } : {}),
  };
}

export function sampleOf(operation: Operation) {
  return samples[operation.id as OperationId];
}

/** Sends an operation's sample as `caller`, or without a token. */
export async function sendSample(
  scene: Scene,
  operation: Operation,
  caller: Actor | undefined,
  more: Sending & { readonly params?: Readonly<Record<string, string>>; readonly query?: string } = {},
): Promise<Answer> {
  const sample = sampleOf(operation);
  const sender = operation.endsToken ? await secondSignIn(scene, caller) : caller;
  const { params = (await sample.arrange?.(scene, sender)) ?? {}, query = "", headers, ...sending } = more;
  return scene.send(operation.method, withQuery(pathOf(operation, params, scene), query), {
    token: tokenFor(operation, scene, sender),
    body: sample.body?.(scene, sender ?? scene.owner),
    asPublished: !("body" in sending || "bytes" in sending),
    remoteAddress: scene.unique(),
    headers: { ...headersOf(operation), ...headers },
    ...sending,
  });
}

/** The token to send; none for operations without a bearer token. */
export function tokenFor(operation: Operation, scene: Scene, sender: Actor | undefined): string | undefined {
  if (sampleOf(operation).ownBearer) return (sender ?? scene.owner).token;
  return operation.access === "public" ? undefined : sender?.token;
}

/** Another token of the same user of the scene. Other callers, and those who cannot sign in now, keep theirs. */
async function secondSignIn(scene: Scene, caller: Actor | undefined): Promise<Actor | undefined> {
  const known = caller && Object.values(scene.actors).includes(caller);
  return known ? scene.signIn(caller.userId, caller).catch(() => caller) : caller;
}
