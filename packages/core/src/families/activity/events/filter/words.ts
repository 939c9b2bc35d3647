import { eventText } from "#kernel/events/events.js";
import { foldText } from "#store/comparison.js";
import type { StoredEvent } from "#store/event-log.js";
import { searchWords } from "#store/find-plan.js";

/** The words of a search as they appear in the JSON text of an event, with quotes and backslashes escaped. */
export function wordsInEvents(search: string): readonly string[] {
  return searchWords(search).map((word) => JSON.stringify(word).slice(1, -1));
}

/** Whether an event contains all words. */
export function holdsWords(event: StoredEvent, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = foldText(eventText(event));
  return words.every((word) => text.includes(word));
}
