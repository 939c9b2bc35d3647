import { countingIds, MASTER_KEY, type World } from "@reeve/testkit";
import { extensions } from "../../src/families/index.js";
import { providedOptions, resolveOptions } from "../../src/families/options.js";
import { guardedEgress, resolverDns } from "../../src/index.js";
import { createEnvironment, type Environment } from "../../src/kernel/environment.js";
import { composeExtensions } from "../../src/kernel/extension.js";
import { keyEncryption } from "../../src/ports/key-encryption.js";
import { silentLogger } from "../../src/ports/logger.js";
import { scryptHasher } from "../../src/ports/password-hasher.js";
import { aesSecretBox } from "../../src/ports/secret-box.js";
import { HUMAN_ONLY } from "../../src/reference/index.js";

/** The parts of a world's control plane once more, for what is called below its surface. */
export function environmentOf(world: Pick<World, "store" | "clock">): Environment {
  const options = resolveOptions({ baseUrl: "https://reeve.example" });
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
      dns: resolverDns(),
      options,
      humanOnly: HUMAN_ONLY,
    },
    [providedOptions(options), ...composeExtensions(extensions)],
  );
}
