import type { Words } from "../api/problem.js";

/** Long work of one person in one tenant: how far it is, and what came of it. */
export interface Work<Input = unknown, State = unknown> {
  readonly id: string;
  /** The name of its kind. */
  readonly kind: string;
  /** What it is about. Work that is begun anew takes the place of one with the same key. */
  readonly key: string;
  /** Tenant and person. */
  readonly owner: string;
  readonly input: Input;
  readonly state: State;
  readonly status: "running" | "paused" | "done";
  /** Why it has paused, where nobody stopped it. */
  readonly failure: Words | null;
  readonly begunAt: string;
  readonly endedAt: string | null;
}

/** How work stands in the tray, and the page that shows it. */
export interface Shown {
  readonly title: string;
  /** How far it is, or what came of it, in a few words. */
  readonly says: string;
  readonly done: number;
  /** `null` while it is not known. */
  readonly total: number | null;
  readonly link: { readonly to: string; readonly params?: object; readonly search?: object };
}

/** Some steps of work, which are loaded when there is some. */
export interface Steps<Input, State> {
  /** One request and what follows from it. What it gives is kept before the next one. */
  step(at: At<Input, State>): Promise<{ readonly state: State; readonly isOver: boolean }>;
  /** Finds out what became of the step that was under way when the page was left. */
  settle?(at: At<Input, State>): Promise<State>;
}

export interface At<Input, State> {
  readonly id: string;
  readonly input: Input;
  readonly state: State;
  readonly signal: AbortSignal;
  /** Keeps a part of what comes of it, which is too large for the state. */
  readonly addPart: (at: number, text: string) => Promise<void>;
}

/** A kind of long work. */
export interface WorkKind<Input = unknown, State = unknown> {
  readonly name: string;
  /** In words, what becomes of it when the tab is closed. */
  readonly onClosing: string;
  /** Whether it goes on by itself after that. Otherwise the person is asked. */
  readonly resumes: boolean;
  /** Types of records that are read again when it ends. */
  readonly stale: readonly string[];
  load(): Promise<Steps<Input, State>>;
  shows(work: Work<Input, State>): Shown;
}
