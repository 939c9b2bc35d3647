import { z } from "zod";
import { defineCollection } from "../../../kernel/records/collection.js";
import { Time } from "../../../kernel/records/record.js";
import type { Checkpoint as CheckpointShape } from "./checkpoints/checkpoint.js";

export const Verification = z
  .object({
    valid: z.boolean(),
    checked: z.int().min(0).meta({ description: "Events checked in this call." }),
    from: z.int().min(0).meta({ description: "The sequence the check started after." }),
    to: z.int().min(0).meta({ description: "The last sequence checked." }),
    headHash: z.string().meta({ description: "Hash of the last event checked." }),
    checkpoints: z.int().min(0).meta({ description: "Checkpoints that were compared with it." }),
    complete: z.boolean().meta({ description: "Whether the end of the chain was reached." }),
    fault: z.object({ sequence: z.int(), reason: z.string() }).nullable(),
  })
  .meta({ id: "ChainVerification" });

const Checkpoint = z
  .object({
    format: z.literal("reeve-checkpoint/1"),
    chainid: z.string(),
    fromSeq: z.int().min(1),
    toSeq: z.int().min(1),
    headHash: z.string(),
    merkleRoot: z.string(),
    at: Time,
    signature: z.object({ alg: z.literal("Ed25519"), kid: z.string(), value: z.string() }).optional(),
  })
  .meta({ id: "ChainCheckpoint" }) as z.ZodType<CheckpointShape>;

export const StoredCheckpoint = z
  .object({
    id: z.string(),
    version: z.int().min(1),
    createdAt: Time,
    checkpoint: Checkpoint.meta({ description: "As it was handed to the host." }),
    status: z.enum(["open", "anchored"]).meta({ description: "Whether the host has taken it." }),
    attempts: z.int().min(0).meta({ description: "How often handing it over failed." }),
    nextAttemptAt: Time,
    anchoredAt: Time.nullable(),
    prunedAt: Time.nullable().meta({
      description: "Since when its events are given up; the chain begins behind them.",
    }),
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
    pruned: { type: "boolean", of: ({ prunedAt }) => prunedAt !== null },
  },
  indexes: [
    { where: [], by: "toSeq" },
    { where: ["pruned"], by: "toSeq" },
    { where: ["status"], by: "toSeq" },
  ],
  unique: { range: ["fromSeq"] },
  secrets: [],
});
