import { type EventDraft, type StoredRecord, sha256 } from "@reeve/core/store";
import { collectionMigration, createSqliteStore } from "../src/index.js";
import { notes } from "./notes.js";

/**
 * A child process that migrates the given database. On request it writes records with events until it is killed or, as
 * `until-full`, until it is refused, and prints each one after its acknowledgement.
 */
const [file = "", round = "", mode = ""] = process.argv.slice(2);
const store = createSqliteStore({ file, migrations: [collectionMigration(1_000, "notes", [notes])] });
await store.migrate();
if (mode === "migrate") {
  await store.close();
} else {
  for (let n = 0; ; n++) {
    const id = `note-${round}-${String(n).padStart(6, "0")}`;
    const record: StoredRecord & { kind: string } = {
      id,
      version: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      kind: round,
    };
    const attributes = JSON.stringify({ id: `event-${id}` });
    const event: EventDraft = {
      id: `event-${id}`,
      time: record.createdAt,
      attributes,
      data: "{}",
      recordHash: sha256(attributes),
      streams: [id],
    };
    try {
      await store.transaction("t", async (tx) => {
        await tx.insert(notes, record);
        await tx.append(event);
      });
    } catch (error) {
      if (mode !== "until-full") throw error;
      await store.transaction("t", (tx) => tx.count(notes));
      const { readOnly } = await store.status();
      process.stdout.write(`${(error as { code: string }).code} ${readOnly}\n`);
      await store.close();
      break;
    }
    process.stdout.write(`${id}\n`);
  }
}
