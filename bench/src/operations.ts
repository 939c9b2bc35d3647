import type { Request } from "autocannon";
import type { Estate } from "./estate.js";
import type { Mover } from "./mover.js";
import { COMMON_TERM, plainBody, RARE_TERM } from "./samples.js";

const PATH = "/api/v1/ai-assets";
const BODIES = 100;

/** The data for the requests of an operation. */
export interface Scene {
  readonly estate: Estate;
  readonly token: string;
  readonly mover: Mover;
}

/** A measured operation: the requests of one connection, and their expected status. */
export interface Operation {
  readonly name: string;
  readonly expected: number;
  readonly writes?: boolean;
  requests(scene: Scene): readonly Request[];
  /** The operation of the hand-written server in comparison, where it is another one. */
  readonly beside?: string;
}

const bearer = (scene: Scene) => ({ authorization: `Bearer ${scene.token}` });
const sending = (scene: Scene) => ({ ...bearer(scene), "content-type": "application/json" });

function get(name: string, query: string): Operation {
  return {
    name,
    expected: 200,
    requests: (scene) => [{ method: "GET", path: `${PATH}${query}`, headers: bearer(scene) }],
  };
}

const read: Operation = {
  name: "read",
  expected: 200,
  requests: (scene) =>
    shuffled(scene.estate.reads).map((id) => ({ method: "GET", path: `${PATH}/${id}`, headers: bearer(scene) })),
};

const denied: Operation = {
  name: "denied",
  expected: 401,
  beside: "read",
  requests: (scene) =>
    scene.estate.reads.map((id) => ({
      method: "GET",
      path: `${PATH}/${id}`,
      headers: { authorization: `Bearer ${scene.token.slice(0, -8)}forged00` },
    })),
};

const create: Operation = {
  name: "create",
  expected: 201,
  writes: true,
  requests: (scene) =>
    Array.from({ length: BODIES }, (_, at) => ({
      method: "POST",
      path: PATH,
      headers: sending(scene),
      body: JSON.stringify(plainBody(at)),
    })),
};

const transition: Operation = {
  name: "transition",
  expected: 200,
  writes: true,
  requests(scene) {
    const next = scene.mover.connection();
    const setupRequest = (request: Request): Request => {
      const { id, to } = next();
      return { ...request, path: `${PATH}/${id}/lifecycle`, body: JSON.stringify({ status: to }) };
    };
    return [{ method: "PATCH", headers: sending(scene), setupRequest }];
  },
};

/** The operations that are compared with hand-written servers. */
export const operations: readonly Operation[] = [
  read,
  get("list", ""),
  get("filtered", "?assetType=agent"),
  get("search", `?search=${encodeURIComponent(RARE_TERM)}`),
  denied,
  create,
  transition,
];

/** Reads whose cost must not grow with the number of assets. The cursor page is made separately. */
export const growing: readonly Operation[] = [
  read,
  get("list", ""),
  get("filtered", "?assetType=agent"),
  get("search, rare term", `?search=${encodeURIComponent(RARE_TERM)}`),
  get("search, common term", `?search=${encodeURIComponent(COMMON_TERM)}`),
];

export function cursorPage(cursor: string): Operation {
  return get("cursor page at 90 %", `?cursor=${encodeURIComponent(cursor)}`);
}

export function operationNamed(name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`there is no operation "${name}"`);
  return found;
}

/** A copy in random order. */
export function shuffled<T>(items: readonly T[]): T[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}
