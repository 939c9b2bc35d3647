import { ProblemError } from "../api/client.js";
import { wordsOf } from "../api/problem.js";
import { forgetSession, queryClient } from "../api/query-client.js";
import { type Kept, openKept } from "./kept.js";
import type { Work, WorkKind } from "./work.js";

/** How long work is kept in the browser. The server knows a decision by its key for as long. */
const KEPT_MS = 86_400_000;

/** The long work of a signed-in person, whatever page they are on. */
interface Session {
  readonly owner: string;
  readonly kinds: ReadonlyMap<string, WorkKind>;
  readonly kept: Promise<Kept>;
  readonly leaving: AbortController;
  /** Work that this tab carries out, or would when another tab does not any more. */
  readonly held: Set<string>;
  /** Work that goes on as soon as the step before is over. */
  readonly asked: Set<string>;
  /** Tells the other tabs of this browser that something has changed. */
  readonly tabs: BroadcastChannel;
}

export interface Works {
  readonly all: readonly Work[];
  /** Whether the browser keeps them when the tab is closed. */
  readonly lasts: boolean;
  /** Whether it is known which there are. */
  readonly isOpen: boolean;
}

const NONE: Works = { all: [], lasts: true, isOpen: false };
let session: Session | undefined;
let works = NONE;
const listeners = new Set<() => void>();

/** All there are now, the one that was begun first before others. */
export const currentWorks = (): Works => works;

export function onWorks(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(now: Works): void {
  works = now;
  for (const listener of listeners) listener();
}

/** Takes up the work of a person, until the function that it gives is called. What others have left is removed. */
export function openWorks(owner: string, kinds: readonly WorkKind[]): () => void {
  const opened: Session = {
    owner,
    kinds: new Map(kinds.map((kind) => [kind.name, kind])),
    kept: openKept(),
    leaving: new AbortController(),
    held: new Set(),
    asked: new Set(),
    tabs: new BroadcastChannel("reeve-work"),
  };
  session = opened;
  opened.tabs.onmessage = () => void show(opened);
  void takeUp(opened);
  return () => {
    opened.leaving.abort();
    opened.tabs.close();
    if (session === opened) session = undefined;
    tell(NONE);
  };
}

async function takeUp(at: Session): Promise<void> {
  const kept = await at.kept;
  const oldest = new Date(Date.now() - KEPT_MS).toISOString();
  const isStale = ({ owner, begunAt }: Work) => owner !== at.owner || begunAt < oldest;
  const found = await kept.all();
  for (const { id } of found.filter(isStale)) await kept.remove(id);
  await show(at);
}

/** Shows what is kept now, here and in other tabs, and stands by for what runs. */
async function show(at: Session, isOwn = false): Promise<void> {
  const kept = await at.kept;
  const all = await kept.all();
  if (at.leaving.signal.aborted) return;
  const own = all.filter(({ owner, kind }) => owner === at.owner && at.kinds.has(kind));
  own.sort((one, other) => one.begunAt.localeCompare(other.begunAt));
  tell({ all: own, lasts: kept.lasts, isOpen: true });
  if (isOwn) at.tabs.postMessage("changed");
  for (const { id, status } of own) if (status === "running" && !at.held.has(id)) void hold(at, id);
}

/** Begins work, in place of what has the same key. Gives its id. */
export async function beginWork<Input, State>(
  kind: WorkKind<Input, State>,
  begun: { readonly key: string; readonly input: Input; readonly state: State },
): Promise<string> {
  const at = session;
  if (!at) throw new Error("nobody is signed in");
  const id = crypto.randomUUID();
  const times = { begunAt: new Date().toISOString(), endedAt: null };
  const work: Work = { ...begun, ...times, id, kind: kind.name, owner: at.owner, status: "running", failure: null };
  await new Promise<void>((resolve, reject) => {
    const add = async (kept: Kept) => {
      for (const { id: before, kind, key } of works.all)
        if (kind === work.kind && key === work.key) await kept.remove(before);
      await kept.add(work);
      resolve();
    };
    hold(at, id, add).catch(reject);
  });
  return id;
}

/** Ends it behind the step that is under way. */
export const stopWork = (id: string): Promise<void> => changeWork(id, { status: "paused" });

export async function goOnWithWork(id: string): Promise<void> {
  const at = session;
  if (!at || at.asked.has(id)) return;
  at.asked.add(id);
  await hold(at, id, async () => {
    at.asked.delete(id);
    await changeWork(id, { status: "running", failure: null });
  });
}

async function changeWork(id: string, changed: Partial<Work>): Promise<void> {
  if (!session) return;
  await (await session.kept).change(id, (work) => (work.status === "done" ? work : { ...work, ...changed }));
  await show(session, true);
}

/** Removes it and what came of it. */
export async function putAwayWork(id: string): Promise<void> {
  if (!session) return;
  await (await session.kept).remove(id);
  await show(session, true);
}

/** Removes all work of the person who signs out. */
export async function forgetWorks(): Promise<void> {
  const ids = works.all.map(({ id }) => id);
  for (const id of ids) await putAwayWork(id);
}

/** The parts that came of work, one after the other. */
export async function partsOfWork(id: string): Promise<readonly string[]> {
  return session ? (await session.kept).parts(id) : [];
}

/**
 * Carries work out in this tab, unless another one does. Then it waits until that one is closed. `first` is what the person
 * asks for now: it begins the work, or has it go on.
 */
async function hold(at: Session, id: string, first?: (kept: Kept) => Promise<void>): Promise<void> {
  const { signal } = at.leaving;
  const carryOut = async () => {
    const kept = await at.kept;
    await first?.(kept);
    await show(at, first !== undefined);
    const work = (await kept.all()).find((one) => one.id === id);
    if (work?.status === "running" && !signal.aborted) await carry(at, work, first !== undefined);
  };
  at.held.add(id);
  // It is there on secure addresses only, as most of what a page can do.
  const locks = navigator.locks as LockManager | undefined;
  try {
    await (locks ? locks.request(`reeve-work ${id}`, { signal }, carryOut) : carryOut());
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    at.held.delete(id);
  }
}

async function carry(at: Session, work: Work, isAsked: boolean): Promise<void> {
  const kind = at.kinds.get(work.kind);
  if (!kind) return;
  const { signal } = at.leaving;
  const kept = await at.kept;
  const addPart = (part: number, text: string) => kept.addPart(work.id, part, text);
  try {
    const steps = await kind.load();
    if (!isAsked && !kind.resumes) {
      const state = (await steps.settle?.({ ...work, signal, addPart })) ?? work.state;
      return await save(at, { ...work, state, status: "paused" }).then(() => undefined);
    }
    for (let now: Work | undefined = work; now?.status === "running" && !signal.aborted; ) {
      const { state, isOver } = await steps.step({ ...now, signal, addPart });
      const ended = isOver ? { status: "done" as const, endedAt: new Date().toISOString() } : {};
      now = await save(at, { ...now, state, ...ended });
    }
  } catch (error) {
    await broken(at, work.id, error);
  } finally {
    for (const type of kind.stale) await queryClient.invalidateQueries({ queryKey: [type] });
  }
}

/** Keeps what a step gave, unless it was removed meanwhile; who stopped it meanwhile is heeded. */
async function save(at: Session, work: Work): Promise<Work | undefined> {
  const kept = await at.kept;
  const saved = await kept.change(work.id, (stored) =>
    work.status === "running" ? { ...work, status: stored.status } : work,
  );
  await show(at, true);
  return saved;
}

/** A step that failed can be tried again. Work of a session that has ended goes on with the next one. */
async function broken(at: Session, id: string, error: unknown): Promise<void> {
  if (at.leaving.signal.aborted || isLeft) return;
  if (ProblemError.is(error) && error.status === 401) return forgetSession();
  const paused = (work: Work): Work => ({ ...work, status: "paused", failure: wordsOf(error) });
  try {
    await (await at.kept).change(id, paused);
    await show(at, true);
  } catch {
    // The browser has no room left to keep even this.
    tell({ ...works, all: works.all.map((work) => (work.id === id ? paused(work) : work)) });
  }
}

/** Whether the page is being left. Requests that break off then are no failures. */
let isLeft = false;
addEventListener("pagehide", () => {
  isLeft = true;
});
addEventListener("pageshow", () => {
  isLeft = false;
});
