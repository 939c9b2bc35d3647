import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type ComplianceReport, compliancePage, REPORT_FORMAT } from "@reeve/core";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import type { Output } from "../output.js";
import { printPage } from "../print-page.js";

const TIMEOUT_MS = 60_000;

interface Job {
  readonly baseUrl: string;
  readonly token: string;
}

/**
 * Files the compliance report of a running server, or fetches a draft. Writes it as JSON and as a page of that JSON, with
 * `pdf` also as PDF where there is a Chromium, and prints the paths.
 */
export async function report(
  { env, output }: Invocation,
  { out = ".", draft = false, pdf = false }: { out?: string; draft?: boolean; pdf?: boolean },
): Promise<ExitCode> {
  const json = await ask(serverOf(env, draft), draft ? "GET" : "POST");
  const content = reportIn(json);
  const name = `compliance-report-${content.asOf.replaceAll(/[-:]|\.\d+/g, "")}`;
  try {
    await mkdir(resolve(out), { recursive: true });
    const place = join(resolve(out), name);
    const page = await put(`${place}.html`, compliancePage(content));
    const files = [page, await put(`${place}.json`, json)];
    if (pdf) files.push(...(await printed(page, `${place}.pdf`, env, output)));
    output.lines({ files, reportId: content.reportId, digest: content.digest }, files);
    return 0;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    const filed = content.reportId === null ? "" : `; the report is filed as ${content.reportId}`;
    if (code && path) throw new Failure(`${path} cannot be written: ${code}${filed}`);
    throw error;
  }
}

/** The PDF of a page, or none, which is said. The page and the JSON are there already. */
async function printed(page: string, pdf: string, env: NodeJS.ProcessEnv, output: Output): Promise<string[]> {
  const half = `${pdf}.${process.pid}.part`;
  const failed = await printPage(page, half, env);
  if (failed !== undefined) {
    await rm(half, { force: true });
    output.print(`reeve: there is no PDF: ${failed}`);
    return [];
  }
  await chmod(half, 0o600);
  await rename(half, pdf);
  return [pdf];
}

function serverOf(env: NodeJS.ProcessEnv, draft: boolean): Job {
  const token = env.REEVE_TOKEN?.trim();
  const permission = draft ? "ai-compliance:read" : "ai-compliance:assess";
  if (!token) throw new Failure(`REEVE_TOKEN is not set: a bearer token that holds ${permission}`);
  const baseUrl = (env.REEVE_BASE_URL || "http://127.0.0.1:4000").replace(/\/+$/, "");
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new Failure("REEVE_BASE_URL is no http address");
  return { baseUrl, token };
}

/** One request, so that both forms are of the same report and it is filed once. */
async function ask({ baseUrl, token }: Job, method: "GET" | "POST"): Promise<string> {
  const url = `${baseUrl}/api/v1/ai/compliance/report`;
  let response: Response;
  let text: string;
  try {
    const headers = { authorization: `Bearer ${token}` };
    response = await fetch(url, { method, headers, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await response.text();
  } catch (error) {
    const reported = method === "POST" ? "; the report may be filed: see the activity stream" : "";
    throw new Failure(`${baseUrl} gave no answer: ${reasonOf(error)}${reported}`);
  }
  if (response.ok) return text;
  throw new Failure(`${baseUrl} answered ${response.status}: ${problemOf(text)}`);
}

function reportIn(json: string): ComplianceReport {
  try {
    const content = JSON.parse(json) as ComplianceReport;
    if (content.format === REPORT_FORMAT) return content;
  } catch {
    // What is no JSON is no report either.
  }
  throw new Failure(`the server answered no report in the form ${REPORT_FORMAT}; it may be of another version`);
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? ((cause.message || (cause as NodeJS.ErrnoException).code) ?? message) : message;
}

/** The message of a refusal by Reeve. Other answers are not quoted. */
function problemOf(text: string): string {
  try {
    const { code, detail, title } = JSON.parse(text) as Record<string, unknown>;
    return [code, detail ?? title].filter((part) => typeof part === "string").join(", ") || "no reason given";
  } catch {
    return "no reason given";
  }
}

/** Writes a file atomically, readable by its owner only. */
async function put(path: string, text: string): Promise<string> {
  const half = `${path}.${process.pid}.part`;
  await writeFile(half, text, { mode: 0o600 });
  await rename(half, path);
  return path;
}
