import { mountUrl } from "../api/base.js";
import type { Work } from "./work.js";

/** Where work is kept, so that it can be gone on with. */
export interface Kept {
  /** Whether it outlives the page. */
  readonly lasts: boolean;
  all(): Promise<readonly Work[]>;
  add(work: Work): Promise<void>;
  /** Changes work as it is kept now. `undefined` for work that was removed, here or in another tab. */
  change(id: string, change: (kept: Work) => Work): Promise<Work | undefined>;
  remove(id: string): Promise<void>;
  addPart(id: string, at: number, text: string): Promise<void>;
  parts(id: string): Promise<readonly string[]>;
}

const [WORKS, PARTS] = ["works", "parts"];

/** What this browser keeps below this mount. Where it keeps nothing, the page does. */
export async function openKept(): Promise<Kept> {
  try {
    return inBrowser(await openDatabase());
  } catch {
    return inPage();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(`reeve-work ${mountUrl.pathname}`, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(WORKS, { keyPath: "id" });
    opening.result.createObjectStore(PARTS);
  };
  return answerOf(opening);
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const partsOf = (id: string) => IDBKeyRange.bound([id], [id, []]);

function inBrowser(database: IDBDatabase): Kept {
  const read = <T>(store: string, ask: (store: IDBObjectStore) => IDBRequest<T>) =>
    answerOf(ask(database.transaction(store).objectStore(store)));
  /** Resolves when it is kept, and not when it is asked for. */
  const write = (act: (works: IDBObjectStore, parts: IDBObjectStore) => void) =>
    new Promise<void>((resolve, reject) => {
      const writing = database.transaction([WORKS, PARTS], "readwrite");
      writing.oncomplete = () => resolve();
      writing.onabort = () => reject(writing.error);
      act(writing.objectStore(WORKS), writing.objectStore(PARTS));
    });
  return {
    lasts: true,
    all: () => read<Work[]>(WORKS, (works) => works.getAll()),
    add: (work) => write((works) => works.put(work)),
    async change(id, change) {
      let changed: Work | undefined;
      await write((works) => {
        const asked = works.get(id);
        asked.onsuccess = () => {
          if (asked.result === undefined) return;
          changed = change(asked.result);
          works.put(changed);
        };
      });
      return changed;
    },
    remove: (id) =>
      write((works, parts) => {
        works.delete(id);
        parts.delete(partsOf(id));
      }),
    addPart: (id, at, text) => write((_, parts) => parts.put(text, [id, at])),
    parts: (id) => read<string[]>(PARTS, (parts) => parts.getAll(partsOf(id))),
  };
}

function inPage(): Kept {
  const works = new Map<string, Work>();
  const parts = new Map<string, string[]>();
  return {
    lasts: false,
    all: async () => [...works.values()],
    async add(work) {
      works.set(work.id, work);
    },
    async change(id, change) {
      const work = works.get(id);
      if (work) works.set(id, change(work));
      return works.get(id);
    },
    async remove(id) {
      works.delete(id);
      parts.delete(id);
    },
    async addPart(id, at, text) {
      const before = parts.get(id) ?? [];
      before[at] = text;
      parts.set(id, before);
    },
    parts: async (id) => parts.get(id) ?? [],
  };
}
