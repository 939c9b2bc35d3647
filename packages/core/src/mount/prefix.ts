/** Where in the host a control plane is mounted. */
export interface Mount {
  /** Without a slash at its end: `""` at the root. */
  readonly path: string;
  /** The target of a request with the prefix taken off; `undefined` when it stands elsewhere, as written. */
  readonly targetOf: (url: string) => string | undefined;
}

/** A mount under a fixed prefix, `"/"` or `""` for the root. Throws a TypeError that names the fault. */
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
