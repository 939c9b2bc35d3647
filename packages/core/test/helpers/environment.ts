import { countingIds, MASTER_KEY } from "@reeve/testkit";
import { composedParts } from "#control-plane/environment.js";
import { resolveOptions } from "#families/options.js";
import { scryptHasher } from "#kernel/async/scrypt-hasher.js";
import { createEnvironment, type Environment } from "#kernel/config/environment.js";
import { keyEncryption } from "#ports/key-encryption.js";
import { silentLogger } from "#ports/logger.js";
import { aesSecretBox } from "#ports/secret-box.js";
import { HUMAN_ONLY } from "#reference/index.js";
import { guardedEgress, resolverDns } from "../../src/index.js";

type Parts = Parameters<typeof createEnvironment>[0];

/**
 * An environment with the store and clock of a world, for calls below the public interface. `given` parts override it.
 */
export function environmentOf(world: Pick<Parts, "store" | "clock">, given: Partial<Parts> = {}): Environment {
  // As in worlds, no jobs of notices are due.
  const options = resolveOptions({ baseUrl: "https://reeve.example", notices: false });
  return createEnvironment(
    {
      store: world.store,
      clock: world.clock,
      ids: countingIds(),
      logger: silentLogger,
      hasher: scryptHasher({ cost: 4 }),
      keyEncryption: keyEncryption(MASTER_KEY),
      secretBox: aesSecretBox(MASTER_KEY),
      egress: guardedEgress(),
      mailer: undefined,
      mcp: undefined,
      saml: undefined,
      passkeys: undefined,
      openid: undefined,
      connectors: new Map(),
      tracer: undefined,
      dns: resolverDns(),
      options,
      humanOnly: HUMAN_ONLY,
      ...given,
    },
    composedParts(options),
  );
}
