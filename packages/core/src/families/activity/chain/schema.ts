import type { Checkpoint as CheckpointShape } from "#families/options.js";
import { defineCollection } from "#kernel/records/collection.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

export const Verification = z
  .object({
    valid: z.boolean().meta({ description: "Whether no fault was found." }),
    checked: z.int().min(0).meta({ description: "Events checked in this call." }),
    from: z.int().min(0).meta({ description: "The sequence the check started after." }),
    to: z.int().min(0).meta({ description: "The last sequence checked." }),
    headHash: z.string().meta({ description: "Hash of the last event checked." }),
    checkpoints: z.int().min(0).meta({ description: "Checkpoints that were compared with it." }),
    signedTo: z.int().nullable().meta({
      description:
        "The last event that a signature by this control plane's key reaches; `null` where none does, or there is no key.",
    }),
    complete: z.boolean().meta({ description: "Whether the end of the chain was reached." }),
    fault: z
      .object({
        sequence: z.int().meta({ description: "The event where it shows." }),
        reason: z.string().meta({ description: "What is wrong there." }),
      })
      .nullable()
      .meta({ description: "The first fault; `null` without one." }),
  })
  .meta({ id: "ChainVerification" });

const TimelinePart = z.object({
  state: z.enum(["whole", "missing", "broken", "pruned"]).meta({
    description:
      "`whole`: each event follows from the one before. `missing`: there are no such events. `broken`: the event does not fit. `pruned`: given up behind a checkpoint.",
  }),
  from: z.int().min(0).meta({ description: "Sequence of its first event." }),
  to: z.int().min(0).meta({ description: "Sequence of its last event." }),
  fromAt: Time.nullable().meta({ description: "When its first event happened; `null` where that is not known." }),
  toAt: Time.nullable().meta({ description: "When its last event happened; `null` where that is not known." }),
  erased: z
    .int()
    .min(0)
    .meta({ description: "Events of it whose data was erased. The chain holds them all the same." }),
  reason: z.string().nullable().meta({ description: "What is wrong with it; `null` where nothing is." }),
  checkpoint: z
    .object({
      at: Time.meta({ description: "When it was made." }),
      signed: z.boolean().meta({ description: "Whether it is signed by this control plane's key." }),
    })
    .nullable()
    .meta({ description: "The checkpoint that ends with it; `null` where none does." }),
});
export type TimelinePart = z.output<typeof TimelinePart>;

export const ChainTimeline = z
  .object({
    from: z.int().min(0).meta({ description: "The sequence it starts after." }),
    to: z.int().min(0).meta({ description: "The last sequence looked at." }),
    complete: z.boolean().meta({ description: "Whether the end of the chain was reached." }),
    parts: z
      .array(TimelinePart)
      .meta({ description: "Parts of the chain in their order, without holes between them." }),
  })
  .meta({ id: "ChainTimeline" });
export type ChainTimeline = z.output<typeof ChainTimeline>;

const Checkpoint = z
  .object({
    format: z.literal("reeve-checkpoint/1").meta({ description: "Name and version of this form." }),
    chainid: z.string().meta({ description: "Id of the tenant's chain." }),
    fromSeq: z.int().min(1).meta({ description: "The first event it covers." }),
    toSeq: z.int().min(1).meta({ description: "The last event it covers." }),
    headHash: z.string().meta({ description: "Hash of that last event." }),
    merkleRoot: z.string().meta({ description: "Root of the tree over the hashes of its events." }),
    index: z
      .object({
        root: z.string().meta({ description: "Root of the tree over the lists of events of each key." }),
        firstTime: Time.meta({ description: "The time of the first event." }),
        lastTime: Time.meta({ description: "The time of the last event." }),
      })
      .optional()
      .meta({ description: "Proves slices; absent in checkpoints of before there was one." }),
    history: z
      .object({
        size: z.int().min(0).meta({ description: "How many checkpoints are before it." }),
        root: z.string().meta({ description: "Root of the tree over these checkpoints." }),
      })
      .optional()
      .meta({ description: "The checkpoints before it; absent in those of before there was one." }),
    at: Time.meta({ description: "When it was made." }),
    signature: z
      .object({
        alg: z.literal("Ed25519").meta({ description: "The algorithm of the signature." }),
        kid: z.string().meta({ description: "Id of the key." }),
        value: z.string().meta({ description: "The signature, base64url." }),
      })
      .optional()
      .meta({ description: "By the host's key; absent without one." }),
  })
  .meta({ id: "ChainCheckpoint" }) as z.ZodType<CheckpointShape>;

export const StoredCheckpoint = z
  .object({
    id: recordFields.id,
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    checkpoint: Checkpoint.meta({ description: "As it was handed to the host." }),
    place: z.int().min(0).meta({ description: "How many checkpoints are before it." }),
    nodes: z
      .array(z.string())
      .meta({ description: "Hashes that the tree of checkpoints grew by with it, the leaf first." }),
    status: z.enum(["open", "anchored"]).meta({ description: "Whether the host has taken it." }),
    attempts: z.int().min(0).meta({ description: "How often handing it over failed." }),
    nextAttemptAt: Time.meta({ description: "When it is handed over next." }),
    anchoredAt: Time.nullable().meta({ description: "When the host took it." }),
    prunedAt: Time.nullable().meta({
      description: "Since when its events are given up; the chain begins behind them.",
    }),
    timeStamp: z
      .object({
        token: z.string().meta({
          description: "The TimeStampToken of RFC 3161 in DER, as base64: of the canonical JSON of the checkpoint.",
        }),
        time: Time.meta({ description: "When the authority says that the checkpoint was there." }),
        policy: z.string().meta({ description: "The policy of the authority, as an object identifier." }),
      })
      .nullable()
      .meta({ description: "By a time stamping authority; `null` where there is none." }),
    stampAttempts: z.int().min(0).meta({ description: "How often asking for a time stamp failed." }),
    nextStampAt: Time.meta({ description: "When a time stamp is asked for next, while it is the newest one." }),
  })
  .meta({ id: "StoredCheckpoint" });
export type StoredCheckpoint = z.output<typeof StoredCheckpoint>;

/** Checkpoints of the chain. They outlive their events. */
export const checkpoints = defineCollection<StoredCheckpoint>({
  name: "chain_checkpoints",
  prefix: "ckp",
  schema: StoredCheckpoint,
  fields: {
    status: { type: "text" },
    fromSeq: { type: "integer", of: ({ checkpoint }) => checkpoint.fromSeq },
    toSeq: { type: "integer", of: ({ checkpoint }) => checkpoint.toSeq },
    place: { type: "integer" },
    pruned: { type: "boolean", of: ({ prunedAt }) => prunedAt !== null },
  },
  indexes: [
    { where: [], by: "toSeq" },
    { where: ["pruned"], by: "toSeq" },
    { where: ["status"], by: "toSeq" },
  ],
  unique: { range: ["fromSeq"], place: ["place"] },
  secrets: [],
});
