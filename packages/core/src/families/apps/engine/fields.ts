import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** A certificate of an application or of the tenant. */
export const Certificate = z.object({
  certificate: z.string().meta({ description: "Base64 of its DER." }),
  fingerprint: z.string().meta({ description: "SHA-256 of its DER." }),
  subject: z.string().meta({ description: "Whose it says it is." }),
  notBefore: Time.meta({ description: "From when it holds." }),
  notAfter: Time.meta({ description: "Until when it holds." }),
});
export type Certificate = z.output<typeof Certificate>;
