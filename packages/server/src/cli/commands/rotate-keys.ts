import { storeName } from "../../service/store.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { withControlPlane } from "../with-control-plane.js";

/**
 * Wraps every data key by the current master key. With `dataKeys` it also seals every secret under a new data key.
 * Servers on the same database can keep running if they have the same master keys.
 */
export async function rotateKeys(invocation: Invocation, { dataKeys = false }): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const count = (keys: number, secrets: number) => `${keys} keys wrapped anew, ${secrets} secrets sealed anew`;
  const done = await withControlPlane(settings, (controlPlane) => {
    output.print(`Rotating the keys of ${storeName(settings.store)}`);
    const onProgress = ({ tenantId, keys, secrets }: { tenantId: string; keys: number; secrets: number }) =>
      output.progress(`${tenantId}: ${count(keys, secrets)} so far`);
    return controlPlane.rotateKeys({ dataKeys, onProgress });
  });
  output.result(done, `Done: ${count(done.keys, done.secrets)}, in ${storeName(settings.store)}`);
  return 0;
}
