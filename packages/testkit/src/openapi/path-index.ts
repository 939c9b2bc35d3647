export type Json = Readonly<Record<string, unknown>>;

/** An operation of a document, and where it stands. */
export interface Described {
  readonly operation: Json;
  /** JSON Pointer of the operation. */
  readonly pointer: string;
}

const METHODS: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "patch"]);

/** Finds the operations of a document by id, and by method and path. */
export class PathIndex {
  readonly #byId = new Map<string, Described>();
  /** By method and number of segments, those with most fixed segments first. */
  readonly #routes: { readonly method: string; readonly segments: readonly string[]; readonly id: string }[] = [];

  constructor({ paths }: Json) {
    for (const [path, methods] of Object.entries(paths as Readonly<Record<string, Json>>)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (!METHODS.has(method)) continue;
        const id = (operation as Json).operationId as string;
        const pointer = `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`;
        this.#byId.set(id, { operation: operation as Json, pointer });
        this.#routes.push({ method: method.toUpperCase(), segments: path.split("/"), id });
      }
    }
    const open = (segments: readonly string[]) => segments.filter(isOpen).length;
    this.#routes.sort((one, other) => open(one.segments) - open(other.segments));
  }

  operation(id: string): Described | undefined {
    return this.#byId.get(id);
  }

  /** A fixed segment goes before one that takes any value, as OpenAPI wants it. */
  operationAt(method: string, target: string): string | undefined {
    const given = (target.split("?")[0] ?? "").split("/");
    const fits = (segments: readonly string[]) =>
      segments.length === given.length && segments.every((segment, at) => isOpen(segment) || segment === given[at]);
    return this.#routes.find((route) => route.method === method && fits(route.segments))?.id;
  }
}

const isOpen = (segment: string) => segment.startsWith("{");
