import { generate } from "selfsigned";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate of a server with these names and addresses, which vouches for itself. */
export async function certificateFor(names: readonly string[]): Promise<Certificate> {
  const altNames = names.map((name) =>
    /^[\d.]+$/.test(name) ? ({ type: 7, ip: name } as const) : ({ type: 2, value: name } as const),
  );
  const { private: key, cert } = await generate([{ name: "commonName", value: "server" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [{ name: "subjectAltName", altNames }],
  });
  return { key, cert };
}
