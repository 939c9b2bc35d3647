import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { usableKeys } from "./usable-keys.js";

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = ec.publicKey.export({ format: "jwk" });

describe("the keys of a set", () => {
  it("are told by place where they are left out, without what stands in them", () => {
    const weak = generateKeyPairSync("rsa", { modulusLength: 1_024 }).publicKey.export({ format: "jwk" });
    const { keys, leftOut } = usableKeys([
      { ...publicKey, kid: "good" },
      { ...weak, kid: "weak" },
      { ...ec.privateKey.export({ format: "jwk" }), kid: "shown" },
      { ...publicKey, alg: "HS256" },
      { ...publicKey, key_ops: "verify" },
      { kty: "XYZ" },
      7,
    ]);
    expect(keys).toEqual([{ ...publicKey, kid: "good" }]);
    expect(leftOut).toEqual([
      { part: "keys[1]", reason: "It is too weak." },
      { part: "keys[2]", reason: "It is secret, and was shown." },
      { part: "keys[3]", reason: "Its algorithm is not accepted." },
      { part: "keys[4]", reason: "It has not the form of a key." },
      { part: "keys[5]", reason: "It is no public key of a kind that is known." },
      { part: "keys[6]", reason: "It has not the form of a key." },
    ]);
  });

  it("for encryption are as they should be, and are not used", () => {
    const sealing = { ...publicKey, kid: "sealing", use: "enc", alg: "ECDH-ES" };
    expect(usableKeys([sealing])).toEqual({ keys: [], leftOut: [] });
  });
});
