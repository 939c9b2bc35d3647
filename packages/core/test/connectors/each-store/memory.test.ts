import { instanceBody, newInstance } from "@reeve/testkit";
import { instanceMemoryContract } from "@reeve/testkit/connectors";
import { storedSecrets } from "#families/connectors/calls/parts/secret-source.js";
import { storedState } from "#families/connectors/calls/parts/state.js";
import { environmentOf } from "../../helpers/environment.js";
import { createWorld } from "../../helpers/world.js";

// Connectors go through the conformance kit on parts in memory. What their parts keep in a store is held to the same.
instanceMemoryContract("in the store", async (secrets) => {
  const world = await createWorld();
  const { tenantId } = world.a;
  const id = await newInstance(world.a, { ...instanceBody(world.a), secrets });
  const connectors = new Map([["scripted", world.scripted.connector]]);
  return () => {
    const env = environmentOf(world, { connectors });
    return { secrets: storedSecrets(env, tenantId, id), state: storedState(env, tenantId, id) };
  };
});
