import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Certificate } from "../engine/fields.js";

const SamlKeyRecord = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  ...Certificate.shape,
  /** `next` is in the metadata and does not sign yet, `active` signs, `retiring` is only in the metadata. */
  status: z.enum(["next", "active", "retiring"]),
  activatedAt: Time.nullable(),
  /** When a retiring key leaves the metadata. */
  retiresAt: Time.nullable(),
  sealedPrivateKey: z.string(),
});
export type SamlKeyRecord = z.output<typeof SamlKeyRecord>;

/** The keys with which the tenant's identity provider signs. */
export const samlKeys = defineCollection<SamlKeyRecord>({
  name: "saml_keys",
  prefix: "samk",
  broadcast: true,
  schema: SamlKeyRecord,
  fields: {
    slot: { type: "text", compare: "exact", of: ({ status }) => (status === "retiring" ? null : status) },
    retiresAt: { type: "time" },
  },
  unique: { slot: ["slot"] },
  indexes: [{ where: [], by: "retiresAt", partial: true }],
  sealed: ["sealedPrivateKey"],
  secrets: ["fingerprint"],
});

/** A key as it is shown. */
export const ShownKey = z
  .object({
    id: z.string().meta({ description: "The unique id of the record." }),
    ...Certificate.shape,
    status: SamlKeyRecord.shape.status.meta({
      description: "`next`: in the metadata, to sign later; `active`: signs; `retiring`: still in the metadata.",
    }),
    createdAt: Time.meta({ description: "When it was made." }),
    activatedAt: Time.nullable().meta({ description: "Since when it signs." }),
    retiresAt: Time.nullable().meta({ description: "When it leaves the metadata." }),
  })
  .meta({ id: "SamlKey" });

export function shownKey({
  version: _version,
  sealedPrivateKey: _sealed,
  ...shown
}: SamlKeyRecord): z.output<typeof ShownKey> {
  return shown;
}
