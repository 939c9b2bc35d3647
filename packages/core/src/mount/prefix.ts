/** Where the host mounts a control plane. */
export interface Mount {
  /** Without a trailing slash: `""` at the root. */
  readonly path: string;
  /** The request's target without the prefix; `undefined` outside of it. */
  readonly targetOf: (url: string) => string | undefined;
}

/** A mount under a fixed prefix, `"/"` or `""` for the root. Throws a TypeError for an invalid prefix. */
export function mountAt(prefix = ""): Mount {
  const path = prefix.replace(/\/$/, "");
  const fault = faultOf(path);
  if (fault) throw new TypeError(`prefix: ${JSON.stringify(prefix)} ${fault}`);
  const targetOf = (url: string) => {
    if (!url.startsWith(path)) return undefined;
    const target = url.slice(path.length);
    return target.startsWith("/") ? target : undefined;
  };
  return { path, targetOf };
}

function faultOf(path: string): string | undefined {
  if (path !== "" && !path.startsWith("/")) return 'must begin with a slash, as "/governance" does';
  if (/[:*(){}]/.test(path)) return "has parameters; a control plane is mounted under a fixed prefix";
  if (/[?#\s]|\/\//.test(path)) return "is no path";
  return undefined;
}
