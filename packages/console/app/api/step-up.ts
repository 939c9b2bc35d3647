/** A refusal that a fresh proof of who one is would lift. */
export interface AskedProof {
  /** Rises, so that each asking begins anew. */
  readonly turn: number;
  /** What takes it, in the server's words. */
  readonly detail: string;
}

interface Asking extends AskedProof {
  readonly proven: Promise<boolean>;
  readonly settle: (isProven: boolean) => void;
}

let asking: Asking | undefined;
let turns = 0;
const listeners = new Set<() => void>();

function tell(now: Asking | undefined): void {
  asking = now;
  for (const listener of listeners) listener();
}

/** What is asked now, for the dialog. */
export const askedProof = (): AskedProof | undefined => asking;

export function onAskedProof(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ends the asking: proven, or given up. */
export function settleProof(isProven: boolean): void {
  const settled = asking;
  tell(undefined);
  settled?.settle(isProven);
}

/** Asks for a proof. Acts that are refused at the same time wait for the same one. */
function askProof(detail: string): Promise<boolean> {
  if (asking) return asking.proven;
  let settle: (isProven: boolean) => void = () => undefined;
  const proven = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  turns += 1;
  tell({ turn: turns, detail, proven, settle });
  return proven;
}

async function refusalOf(answer: Response): Promise<string | undefined> {
  if (answer.status !== 403) return undefined;
  const problem: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  const { code, detail } = Object(problem) as { readonly code?: unknown; readonly detail?: unknown };
  return code === "step_up_required" ? String(detail ?? "") : undefined;
}

/**
 * Sends a request as `fetch` does. Where it takes a fresh proof of who one is, that is asked for, and the same request is sent
 * again: the same body, for the same version. Who gives up sees the refusal.
 */
export async function provingFetch(request: Request): Promise<Response> {
  const answer = await fetch(request.clone());
  const refusal = await refusalOf(answer);
  return refusal !== undefined && (await askProof(refusal)) ? fetch(request) : answer;
}
