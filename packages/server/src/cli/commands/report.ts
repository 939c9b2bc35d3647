import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";

const TIMEOUT_MS = 60_000;
/** How often the two forms of a report are fetched until both are of the same inputs. */
const TRIES = 3;

interface Job {
  readonly baseUrl: string;
  readonly token: string;
  readonly out: string;
}

/** Fetches the compliance report from a running server, writes it as HTML and JSON, and prints the two paths. */
export async function report({ env, output }: Invocation, { out = "." }: { out?: string }): Promise<ExitCode> {
  const job = { ...serverOf(env), out: resolve(out) };
  try {
    const files = await fileReport(job);
    output.lines({ files }, files);
    return 0;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code && path) throw new Failure(`${path} cannot be written: ${code}`);
    throw error;
  }
}

function serverOf(env: NodeJS.ProcessEnv): Omit<Job, "out"> {
  const token = env.REEVE_TOKEN?.trim();
  if (!token) throw new Failure("REEVE_TOKEN is not set: a bearer token that holds ai-compliance:read");
  const baseUrl = (env.REEVE_BASE_URL || "http://127.0.0.1:4000").replace(/\/+$/, "");
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new Failure("REEVE_BASE_URL is no http address");
  return { baseUrl, token };
}

async function fileReport({ baseUrl, token, out }: Job): Promise<string[]> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const json = await fetchReport(baseUrl, token, "json");
    const page = await fetchReport(baseUrl, token, "html");
    const { asOf, inputsDigest } = JSON.parse(json) as { asOf: string; inputsDigest: string };
    if (!page.includes(inputsDigest)) continue;
    const name = `compliance-report-${asOf.replaceAll(/[-:]|\.\d+/g, "")}`;
    await mkdir(out, { recursive: true });
    return [await put(join(out, `${name}.html`), page), await put(join(out, `${name}.json`), json)];
  }
  throw new Failure("what the report is about changes faster than it can be read; try again");
}

async function fetchReport(baseUrl: string, token: string, format: string): Promise<string> {
  const url = `${baseUrl}/api/v1/ai/compliance/report?format=${format}`;
  let response: Response;
  try {
    const headers = { authorization: `Bearer ${token}` };
    response = await fetch(url, { headers, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Failure(`${baseUrl} gave no answer: ${reasonOf(error)}`);
  }
  const text = await response.text();
  if (response.ok) return text;
  throw new Failure(`${baseUrl} answered ${response.status}: ${problemOf(text)}`);
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
