import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest();
const text = (data: Uint8Array) => Buffer.from(data).toString("base64url");

/** CBOR of small maps, as authenticators write them. */
function cbor(value: unknown): Buffer {
  // The shortest form of each length, as CTAP wants it.
  const head = (major: number, count: number) => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    return count < 256
      ? Buffer.from([(major << 5) | 24, count])
      : Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  };
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, pairs.length), ...pairs.flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

interface Said {
  readonly origin: string;
  readonly rpId: string;
  /** What it counts its uses as. */
  readonly counter?: number;
}

/** An authenticator in software: a key pair that answers what browsers ask of one. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32);
  readonly #key: KeyObject;
  readonly #public: { readonly x: string; readonly y: string };

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    this.#public = publicKey.export({ format: "jwk" }) as { x: string; y: string };
  }

  /** The answer of `navigator.credentials.create` for this challenge. */
  create(challenge: string, said: Said) {
    const { x, y } = this.#public;
    const point = (part: string) => Buffer.from(part, "base64url");
    const cose = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(x)],
        [-3, point(y)],
      ]),
    );
    const length = Buffer.from([0, this.id.length]);
    const authData = Buffer.concat([this.#data(said, 0x41), Buffer.alloc(16), length, this.id, cose]);
    const attestation = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return this.#answer({
      clientDataJSON: text(client("webauthn.create", challenge, said.origin)),
      attestationObject: text(cbor(attestation)),
    });
  }

  /** The answer of `navigator.credentials.get` for this challenge. */
  get(challenge: string, said: Said) {
    const clientData = client("webauthn.get", challenge, said.origin);
    const authenticatorData = this.#data(said, 0x01);
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), this.#key);
    return this.#answer({
      clientDataJSON: text(clientData),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
    });
  }

  #data({ rpId, counter = 0 }: Said, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }

  #answer(response: Readonly<Record<string, string>>) {
    const id = text(this.id);
    return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  }
}

function client(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
