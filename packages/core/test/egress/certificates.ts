import { generate } from "selfsigned";

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority for one test. */
export async function authority(): Promise<Identity> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "Test authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key, cert };
}

/** A server certificate for these names and addresses, signed by an authority. */
export async function issue(ca: Identity, names: readonly string[], notAfterDate?: Date): Promise<Identity> {
  const altNames = names.map((name) =>
    /^[\d.]+$/.test(name) ? ({ type: 7, ip: name } as const) : ({ type: 2, value: name } as const),
  );
  const { private: key, cert } = await generate([{ name: "commonName", value: "server" }], {
    keyType: "ec",
    algorithm: "sha256",
    ca,
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "subjectAltName", altNames },
    ],
    ...(notAfterDate ? { notBeforeDate: new Date(notAfterDate.getTime() - 86_400_000), notAfterDate } : {}),
  });
  return { key, cert };
}
