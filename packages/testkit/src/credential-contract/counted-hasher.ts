import { type PasswordHasher, scryptHasher } from "@reeve/core";

/** A real but cheap hasher that counts its calls. */
export function countedHasher(): PasswordHasher & { hashed: number; verified: number } {
  const inner = scryptHasher({ cost: 4, concurrency: 8, queue: 10_000 });
  const counted = {
    hashed: 0,
    verified: 0,
    hash: (password: string) => {
      counted.hashed += 1;
      return inner.hash(password);
    },
    verify: (password: string, hash: string) => {
      counted.verified += 1;
      return inner.verify(password, hash);
    },
  };
  return counted;
}
