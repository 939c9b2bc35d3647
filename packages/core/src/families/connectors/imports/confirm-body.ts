import { readEstateBody, refuseUnknown } from "#families/estate/index.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { type ConnectorImport, IMPORT_READ_ONLY, SELECTIONS } from "./schema.js";

/** The most items that a confirmation names. */
const ITEMS = 1_000;
const Ids = z.array(z.string().max(64)).max(ITEMS);

const ConfirmFields = z.object({
  planHash: z.string().meta({ description: "The `planHash` that was seen." }),
  selection: z.union([z.enum(SELECTIONS), Ids]).meta({
    description: "What is carried out: `all`, only new assets, or items by id. Conflicts only by `merge`.",
  }),
  merge: z
    .record(z.string().max(64), z.string().max(64))
    .refine((merge) => Object.keys(merge).length <= ITEMS, `At most ${ITEMS.toLocaleString("en")} conflicts.`)
    .meta({
      description: "Which asset a conflict is: one of its `candidates`, by the id of the item. It is tied to that.",
    }),
  exclude: Ids.meta({ description: "Ids of items that are left out." }),
  allowRetire: z.boolean().meta({ description: "Also retire what the target has no more." }),
  acceptAnomaly: z.boolean().meta({ description: "Retire it although more is missing than is plausible." }),
});
const Given = ConfirmFields.partial();

export const ImportConfirmation = openBody({
  id: "ConnectorImportConfirmation",
  fields: ConfirmFields,
  closed: true,
  example: { planHash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", selection: "create_only" },
});

const READ_ONLY = [...IMPORT_READ_ONLY, "assetTypes"].filter((name) => !(name in Given.shape));

/** Reads a generic body as a confirmation of an import, whose read-only values it may repeat. */
export function readConfirmation(body: GenericBody, job: ConnectorImport) {
  const { fields, free, reason } = readEstateBody(body, Given, READ_ONLY, job);
  refuseUnknown(free.configuration, "Confirmations", Object.keys(Given.shape));
  return {
    planHash: fields.planHash,
    selection: fields.selection ?? ("create_only" as const),
    merge: fields.merge ?? {},
    exclude: fields.exclude ?? [],
    allowRetire: fields.allowRetire ?? false,
    acceptAnomaly: fields.acceptAnomaly ?? false,
    reason,
    free: { name: free.name, metadata: free.metadata, attributes: free.attributes },
  };
}
