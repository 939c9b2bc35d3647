import { hostileDocuments } from "./hostile-documents.js";
import { hostileFields } from "./hostile-fields.js";
import { type Hostile, hostileRedirects } from "./hostile-redirect.js";
import { hostileSignatures } from "./hostile-signatures.js";

export type { Hostile };

/** Every hostile message, with the refusal of the engine. */
export async function hostileMessages(): Promise<readonly Hostile[]> {
  return [
    ...(await hostileRedirects()),
    ...hostileDocuments(),
    ...(await hostileSignatures()),
    ...(await hostileFields()),
  ];
}
