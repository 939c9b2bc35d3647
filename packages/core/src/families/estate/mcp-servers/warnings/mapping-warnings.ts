import type { ValueEnvironment } from "#cel/value-engine.js";
import { cutText } from "#kernel/records/cut-text.js";
import { inTurns } from "#store/event-loop.js";
import { MAPPING_MEMBER, readMapping } from "../../tools/mapping/read-mapping.js";
import type { Offer } from "../manifest/manifest.js";
import { MOST_WARNINGS, type Warning } from "./warnings.js";

/** Warnings about the mappings by which tools say how they are authorized. */
export function mappingWarnings(language: ValueEnvironment, offer: Pick<Offer, "tools">): Promise<Warning[]> {
  return inTurns(warningSteps(language, offer));
}

function* warningSteps(language: ValueEnvironment, { tools }: Pick<Offer, "tools">): Generator<void, Warning[]> {
  const found: Warning[] = [];
  for (const [index, { inputSchema }] of tools.entries()) {
    if (found.length >= MOST_WARNINGS) break;
    if (!Object.hasOwn(inputSchema, MAPPING_MEMBER)) continue;
    const at = `/tools/${index}/inputSchema/${MAPPING_MEMBER}`;
    const read = readMapping(language, inputSchema[MAPPING_MEMBER]);
    if ("mapping" in read) {
      if (read.mapping.ownSubject) found.push({ code: "mapping_subject", pointer: at, detail: "" });
    } else {
      const [first] = read.faults;
      const detail = cutText(first?.message ?? "", 100);
      found.push({ code: "mapping_malformed", pointer: `${at}${first?.pointer ?? ""}`, detail });
    }
    yield;
  }
  return found;
}
