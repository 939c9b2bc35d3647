import type { Store } from "@reeve/core/store";
import { clientOf } from "../world/client.js";
import { createPlane } from "../world/world.js";
import { sitedAssets } from "./collections.js";

/** Ids from here on are none of a fixture. */
const MINTED = 1_000_000;
const ENVIRONMENTS = ["production", "test", "development"];

/** A control plane of the present release on a database that is upgraded meanwhile, as one of its users. */
export async function oldProcess(store: Store, sentinel = "zqalpha", minted = MINTED) {
  const { controlPlane } = createPlane({ store }, minted);
  // It keeps what a later release added to a record, and answers with it.
  const send = clientOf(controlPlane, sitedAssets().addedFields);
  const credentials = { username: `${sentinel}@example.test`, password: `a pass phrase for owner ${sentinel} 1` };
  const signedIn = await send("POST", "/api/v1/auth/signin", { body: credentials, remoteAddress: "upgrade" });
  if (signedIn.status !== 200) throw new Error(signedIn.text);
  const { token } = signedIn.json;
  const me = await send("GET", "/api/v1/me", { token });
  const tenantId: string = me.json.tenant.id;
  let written = 0;
  /** Makes an asset and moves it to another environment, after `between`. Returns the last answer. */
  const write = async (between?: (id: string) => Promise<void>) => {
    const environment = ENVIRONMENTS[written % ENVIRONMENTS.length];
    const body = { name: `written ${minted} ${written}`, assetType: "model", provider: "upgrade", environment };
    const made = await send("POST", "/api/v1/ai-assets", { token, body });
    if (made.status !== 201) throw new Error(made.text);
    await between?.(made.json.id);
    const moved = { environment: ENVIRONMENTS[(written + 1) % ENVIRONMENTS.length] };
    const changed = await send("PUT", `/api/v1/ai-assets/${made.json.id}`, { token, body: moved });
    if (changed.status !== 200) throw new Error(changed.text);
    written += 1;
    return changed.json;
  };
  const ping = async () => (await send("GET", "/api/v1/monitor/ping")).status;
  return { controlPlane, tenantId, write, ping };
}
