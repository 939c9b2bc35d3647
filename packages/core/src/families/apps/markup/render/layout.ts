import { createHash } from "node:crypto";
import { escapeHtml } from "#kernel/http/escape-html.js";
import { Raw } from "#kernel/records/outcome.js";

const STYLE = `:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--page:#f4f6f9;--card:#fff;--line:#d5dbe3;--edge:#7d8897;--act:#1f4fd8;--on:#fff;--bad:#a3161b}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecf2;--soft:#a3aebd;--page:#12161d;--card:#1b212b;--line:#343d4b;--edge:#768399;--act:#7ea2ff;--on:#0d1117;--bad:#ff9a9a}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;overflow-wrap:anywhere}main.wide{max-width:44rem}
h1{margin:0 0 .5rem;font-size:1.35rem;line-height:1.3}p{margin:0 0 1rem}.soft{color:var(--soft)}.bad{color:var(--bad)}.foot{margin:1.5rem 0 0}a{color:var(--act)}
label{display:block;margin:0 0 1rem;font-weight:600}input,select{display:block;width:100%;margin-top:.25rem;padding:.6rem .7rem;font:inherit;font-weight:400;color:inherit;background:var(--page);border:1px solid var(--edge);border-radius:.4rem}
button,.button{display:inline-block;padding:.6rem 1.1rem;font:inherit;font-weight:600;color:var(--on);background:var(--act);border:0;border-radius:.4rem;text-decoration:none;cursor:pointer}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}ul{list-style:none;margin:0;padding:0;display:grid;gap:.75rem;grid-template-columns:repeat(auto-fill,minmax(min(12rem,100%),1fr))}
li form,li button{height:100%;width:100%}li button{text-align:left;color:var(--ink);background:var(--page);border:1px solid var(--edge)}li small{display:block;font-weight:400;color:var(--soft)}
iframe{display:none}`;

/** How long frames have to tell other applications, in seconds, before the browser goes on. */
export const FRAME_SECONDS = 3;

/** Sends the only form of the page, after the frames where there are some. Without scripts, people press its button. */
const SUBMITS = {
  at_once: "document.forms[0].submit()",
  after_frames: `setTimeout(function(){document.forms[0].submit()},${FRAME_SECONDS * 1_000})`,
} as const;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const STYLE_HASH = hashOf(STYLE);

export interface Page {
  readonly title: string;
  /** HTML. Texts go through `escapeHtml`. */
  readonly content: string;
  /** For a list of things. */
  readonly wide?: boolean;
  /** Sends the first form by itself. It may lead to any address. */
  readonly submits?: keyof typeof SUBMITS;
  /** Where the browser goes by itself, and after how many seconds. */
  readonly next?: { readonly url: string; readonly seconds: number };
  /** Origins of frames that the page loads. */
  readonly frames?: readonly string[];
}

function policy({ submits, frames = [] }: Page): string {
  const parts = [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    ...(submits ? [`script-src ${hashOf(SUBMITS[submits])}`] : ["form-action 'self'"]),
    // An application sends its answer back here, within the frame.
    ...(frames.length > 0 ? [`frame-src 'self' ${frames.join(" ")}`] : []),
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ];
  return parts.join("; ");
}

/** The headers of every page: nothing from elsewhere, and no script but the one that sends a form. */
export function pageHeaders(page: Page): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy(page),
    // A form that is sent here names its origin, and no other site learns where somebody was.
    "referrer-policy": "same-origin",
    "x-frame-options": "SAMEORIGIN",
  };
}

export function pageHtml({ title, content, wide = false, submits, next }: Page): string {
  const refresh = next ? `<meta http-equiv="refresh" content="${next.seconds};url=${escapeHtml(next.url)}">` : "";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${refresh}<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main${wide ? ' class="wide"' : ""}><h1>${escapeHtml(title)}</h1>${content}</main>${submits ? `<script>${SUBMITS[submits]}</script>` : ""}</body></html>`;
}

/** A page as an answer. */
export function answerPage(page: Page, headers: Readonly<Record<string, string>> = {}, status = 200): Raw {
  const { "content-type": _charset, ...own } = pageHeaders(page);
  return new Raw(pageHtml(page), "text/html", { status, headers: { ...own, ...headers } });
}
