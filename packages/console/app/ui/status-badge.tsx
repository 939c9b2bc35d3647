/** How a state is to be taken. `unknown` has a colour of its own: it is neither good nor bad. */
export type Tone = "good" | "busy" | "warning" | "bad" | "unknown" | "neutral";

/** A state in a word. Its colour only repeats what the word says. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
