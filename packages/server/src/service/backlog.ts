import type { DeliveryBacklog } from "@reeve/core";
import { type Found, ok, warning } from "./finding.js";

const MINUTE = 60_000;

/** What is to say of events that wait to be sent: those that wait for longer than an alarm takes are a warning. */
export function backlogFinding(waiting: readonly DeliveryBacklog[], alarmMinutes: number, nowMs: number): Found {
  const texts = waiting.map(({ target, events, oldestAt }) => `${target}: ${events} since ${oldestAt}`);
  const isLate = waiting.some(({ oldestAt }) => nowMs - Date.parse(oldestAt ?? "") >= alarmMinutes * MINUTE);
  if (isLate) return warning(`events wait for ${texts.join("; ")}; see that it answers`);
  return ok(texts.length === 0 ? "every event is sent" : `events wait for ${texts.join("; ")}`);
}
