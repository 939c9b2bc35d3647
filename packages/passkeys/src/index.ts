import type { PasskeyEngine } from "@reeve/core";

/** Passkeys for the option `passkeys` of a control plane. The library is loaded at first use. */
export function passkeyEngine(): PasskeyEngine {
  const protocol = async () => (await import("./protocol.js")).protocol;
  return {
    creation: async (...input) => (await protocol()).creation(...input),
    created: async (...input) => (await protocol()).created(...input),
    request: async (...input) => (await protocol()).request(...input),
    signed: async (...input) => (await protocol()).signed(...input),
  };
}
