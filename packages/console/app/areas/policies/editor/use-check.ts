import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { client } from "../../../api/client.js";
import { fieldFault } from "../../../api/problem.js";
import type { Validation } from "../terms.js";
import { type Draft, isComplete, requestOf } from "./draft.js";

/** How long after the last key a draft is checked, in ms. */
const PAUSE = 400;

type Fault = Validation["faults"][number];

/** What the server says of a draft, and of each place in it. */
export interface Check {
  readonly report: Validation | undefined;
  readonly error: unknown;
  readonly isComplete: boolean;
  /** Whether what is shown is about an earlier draft. */
  readonly isBehind: boolean;
  readonly faultsAt: (pointer: string) => readonly Fault[];
  /** The first fault of a place in words. */
  readonly faultAt: (pointer: string) => string | undefined;
}

/** Has the server check a draft a moment after each change, without storing it. */
export function useCheck(draft: Draft, noJson: string): Check {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), PAUSE);
    return () => clearTimeout(timer);
  }, [draft]);
  const { request, faults } = requestOf(settled);
  const text = JSON.stringify(request);
  const check = useQuery({
    enabled: isComplete(settled) && faults.size === 0,
    queryKey: ["policy check", text],
    queryFn: async ({ signal }) =>
      (await client.POST("/api/v1/ai-governance/policies/validate", { body: request as never, signal })).data,
    placeholderData: (before) => before,
    gcTime: 60_000,
  });
  const here = requestOf(draft);
  const faultsAt = (pointer: string) => check.data?.faults.filter((fault) => fault.pointer === pointer) ?? [];
  return {
    report: check.data,
    error: check.error,
    isComplete: isComplete(draft),
    isBehind: settled !== draft || check.isFetching,
    faultsAt,
    faultAt: (pointer) =>
      here.faults.has(pointer) ? noJson : (faultsAt(pointer)[0]?.message ?? fieldFault(check.error, pointer)),
  };
}
