import { createPrivateKey } from "node:crypto";
import { readTextSetting } from "./json-setting.js";
import type { Read } from "./kinds.js";

/** What checkpoints of the record are signed and stamped by. */
export interface CheckpointSetting {
  /** An Ed25519 private key, as PEM. */
  readonly checkpointKey?: string;
  readonly timestampUrl?: string;
}

/** Reads the key and the address of the authority. No fault repeats the key. */
export function readCheckpoints(
  env: Readonly<Record<string, string | undefined>>,
  read: Read,
  faults: string[],
): CheckpointSetting {
  const key = readTextSetting(env, "REEVE_CHECKPOINT_KEY", faults);
  if (key && !isEd25519(key.text)) faults.push(`${key.setting} must be an Ed25519 private key as PEM`);
  const url = "the http or https URL of a time stamping authority, without user and fragment";
  const timestampUrl = read("REEVE_TIMESTAMP_URL", url, authorityOf, false);
  return {
    ...(key ? { checkpointKey: key.text } : {}),
    ...(timestampUrl === undefined ? {} : { timestampUrl }),
  };
}

function isEd25519(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
}

function authorityOf(text: string): string | undefined {
  if (!/^https?:\/\/[^#\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password } = new URL(text);
  return username || password ? undefined : text;
}
