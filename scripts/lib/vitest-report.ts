import { relative } from "node:path";
import { root } from "./workspace.mjs";

/** The counts of a run. */
export interface Tally {
  passed: number;
  failed: number;
}

/** The part of vitest's JSON report that is read here. */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: FileResult[];
}

interface FileResult {
  name: string;
  status: string;
  message: string;
  /** Epoch ms. */
  startTime: number;
  endTime: number;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

/** The most failures per file to print again at the end, because many have one cause. */
const FAILURES_REPORTED = 3;

/** The failures of each file in a few lines, for the end of a log. */
export function failures({ testResults }: Report): string[] {
  const firstLine = (text: string | undefined) => text?.split("\n", 1)[0] ?? "";
  return testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === "failed");
      const reported = failed
        .slice(0, FAILURES_REPORTED)
        .map(({ fullName, failureMessages }) => `  ${fullName}: ${firstLine(failureMessages[0])}`);
      const head = `FAILED  ${relative(root, name)}: ${failed.length === 0 ? firstLine(message) : `${failed.length} tests`}`;
      return [head, ...reported];
    });
}

/** The number of passed and failed tests. A file that failed outside of any test counts as one. */
export function count(report: Report): Tally {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length };
}
