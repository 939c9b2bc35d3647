import { Memoirist } from "memoirist";
import { ENCODED_SLASH } from "../http/target.js";
import { effectOf, type Operation } from "../operation/operation.js";

/** The result of routing a path. */
export type Match =
  | { readonly kind: "operation"; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "method"; readonly allow: readonly string[] }
  | { readonly kind: "none" };

const withSlashes = (params: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replaceAll(ENCODED_SLASH, "/")]));

function withBelow({ "*": below = "", ...named }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...named, below };
}

/** Finds operations by method and canonical path. A literal segment takes precedence over a parameter. */
export class Router {
  readonly #routes = new Memoirist<Operation>();
  readonly #methods: readonly string[];

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
      this.#routes.add(operation.method, path, operation);
      if (operation.below) this.#routes.add(operation.method, `${path}/*`, operation);
    }
    this.#methods = [...new Set(operations.map((operation) => operation.method))];
  }

  match(method: string, path: string): Match {
    const found = method === "HEAD" ? this.#findHead(path) : this.#find(method, path);
    // A slash at the end is another path, but for pages that have paths below them.
    if (path.length > 1 && path.endsWith("/") && !found?.operation.below) return { kind: "none" };
    if (found) return found;
    const allow = this.#methods.filter((candidate) => this.#find(candidate, path));
    if (allow.length === 0) return { kind: "none" };
    return {
      kind: "method",
      allow: this.#findHead(path) ? ["GET", "HEAD", ...allow.filter((m) => m !== "GET")] : allow,
    };
  }

  /** Whoever asks for the headers of a page wants nothing to happen, so that only a GET that reads has them. */
  #findHead(path: string): (Match & { kind: "operation" }) | undefined {
    const found = this.#find("GET", path);
    return found && effectOf(found.operation) === "read" ? found : undefined;
  }

  #find(method: string, path: string): (Match & { kind: "operation" }) | undefined {
    const found = this.#routes.find(method, path);
    if (!found) return undefined;
    const operation = found.store;
    const hasSlashes = path.includes(ENCODED_SLASH);
    // To all other operations such a path is ambiguous.
    if (hasSlashes && !operation.slashes) return undefined;
    const given = "*" in found.params ? withBelow(found.params) : found.params;
    const params = hasSlashes ? withSlashes(given) : given;
    // An operation may match less than its path pattern. The runtime sign-on matches only a nonce of the exact shape.
    if (operation.matches && !operation.matches(params)) return undefined;
    return { kind: "operation", operation, params };
  }
}
