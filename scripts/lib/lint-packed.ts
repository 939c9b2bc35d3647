// Lints a packed package by the standard tools.
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import { problemKindInfo } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { PackedPackage } from "./packed.js";

/**
 * Faults for bundlers, type checkers or Node. The resolution `node10` counts for the main entry only, because it does
 * not support sub-paths. CommonJS reaches packages in `esmOnly` by `require(esm)` only.
 */
export async function lintPacked(item: PackedPackage, esmOnly: boolean): Promise<string[]> {
  const pack = new Uint8Array(readFileSync(item.tarball)).buffer as ArrayBuffer;
  const { messages } = await publint({ pack: { tarball: pack }, level: "warning" });
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(pack)));
  const problems = analysis.types ? analysis.problems.filter((problem) => counts(problem, esmOnly)) : [];
  return [
    ...messages.map((message) => `${item.name}: ${formatMessage(message, item.manifest) ?? message.code}`),
    ...problems.map(
      (problem) => `${item.name}: ${problemKindInfo[problem.kind].shortDescription} (${placeOf(problem)})`,
    ),
  ];
}

function counts(problem: Problem, esmOnly: boolean): boolean {
  if ("resolutionKind" in problem && problem.resolutionKind === "node10" && problem.entrypoint !== ".") return false;
  return !(esmOnly && problem.kind === "CJSResolvesToESM");
}

function placeOf(problem: Problem): string {
  if ("entrypoint" in problem) return `${problem.entrypoint}, ${problem.resolutionKind}`;
  return "typesFileName" in problem ? problem.typesFileName : problem.kind;
}
