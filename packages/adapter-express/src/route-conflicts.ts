import type { ControlPlane } from "@reeve/core";

/** An entry in the middleware stack of Express 4 and 5. */
interface Layer {
  readonly handle: unknown;
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  /** The path of the last match, in versions whose `match` returns a boolean. */
  readonly path?: string;
  /** Internal to Express; without it no route is compared. */
  match?(path: string): boolean | { readonly path: string };
}

export interface HostApp {
  readonly _router?: { readonly stack: readonly Layer[] };
  readonly router?: { readonly stack: readonly Layer[] };
}

/** A path that only catch-all routes match. */
const NOWHERE = "/0f5b/c9d2/77e1/a3f4";

/** The app's routes that share method and path with an operation under the prefix, one sentence each. */
export function routeConflicts(
  app: HostApp | undefined,
  middleware: unknown,
  prefix: string,
  operations: ControlPlane["operations"],
): readonly string[] {
  const stack = stackOf(app);
  const place = stack.findIndex(({ handle }) => handle === middleware);
  // The middleware is in a separate router, whose other routes are not visible from the app.
  if (place < 0) return [];
  const found = new Map<string, string>();
  for (const { method, path } of operations) {
    const sample = prefix + path.replaceAll(/\{\w+\}/g, "x");
    for (const route of routesOf(stack, method.toLowerCase(), sample)) {
      const answers = stack.indexOf(route.top) < place ? "the app's answers" : "Reeve's answers";
      const line = `${method} ${prefix}${path} is an operation of Reeve and the app's route ${route.path}: ${answers}. Mount Reeve under a prefix of its own.`;
      found.set(`${method} ${route.path}`, line);
    }
  }
  return [...found.values()];
}

/** A warning when the app mounts Reeve more than once at the prefix. */
export function mountedTwice(
  app: HostApp | undefined,
  mounts: Pick<WeakSet<object>, "has">,
  prefix: string,
): readonly string[] {
  const here = stackOf(app).filter(
    (layer) => mounts.has(layer.handle as object) && takenBy(layer, `${prefix}/api/v1`) === prefix,
  );
  return here.length < 2 ? [] : [`Reeve is mounted twice at ${prefix || "/"}: only the first mount answers.`];
}

/** The part of a path that a layer matches; `undefined` when it does not. */
function takenBy(layer: Layer, path: string): string | undefined {
  const match = layer.match?.(path);
  return match ? ((match === true ? layer.path : match.path) ?? "") : undefined;
}

/** `_router` comes first, because in Express 4 the getter `router` throws. */
function stackOf(app: HostApp | undefined): readonly Layer[] {
  return (app?._router ?? app?.router)?.stack ?? [];
}

interface Route {
  readonly path: string;
  /** The entry in the app's own stack that leads to the route. */
  readonly top: Layer;
}

function routesOf(stack: readonly Layer[], method: string, path: string, top?: Layer, above = ""): Route[] {
  return stack.flatMap((layer): Route[] => {
    const taken = takenBy(layer, path);
    if (taken === undefined) return [];
    const first = top ?? layer;
    if (layer.route) {
      const own = layer.route.methods[method] && !layer.match?.(NOWHERE);
      return own ? [{ path: above + String(layer.route.path), top: first }] : [];
    }
    const inner = (layer.handle as { stack?: readonly Layer[] }).stack;
    return inner ? routesOf(inner, method, path.slice(taken.length) || "/", first, above + taken) : [];
  });
}
