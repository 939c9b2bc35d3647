import { createHash } from "node:crypto";
import type { User } from "#families/identity/index.js";
import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { escapeHtml } from "#kernel/http/escape-html.js";
import type { Mail } from "#ports/mailer.js";
import type { Told } from "../../preferences/queries.js";
import { unsubscribeUrl } from "../../preferences/sign-link.js";
import type { NoticeKind } from "../fields.js";
import type { Notice } from "../schema.js";
import { textsOf } from "../texts/catalogue.js";

/** Notices of one mail: those that it lists, and how many there are beside them. */
export interface Listed {
  readonly notices: readonly Notice[];
  readonly more: number;
}

interface Line {
  readonly title: string;
  readonly details: readonly string[];
  readonly url: string;
}

/** A mail that lists notices. Its links lead to pages and decide nothing. */
export function noticeMail(
  env: Environment,
  { id, username }: User,
  preferences: Told,
  tenantId: string,
  { notices, more }: Listed,
): Mail {
  const { consoleUrl, baseUrl } = optionsOf(env);
  const texts = textsOf(preferences.language);
  const { host } = new URL(baseUrl);
  const lines = notices.map((notice) => lineOf(notice, preferences, consoleUrl));
  const kinds = [...new Set(notices.map(({ kind }) => kind))];
  const leave = unsubscribeUrl(env, { tenantId, userId: id, kinds });
  const [first] = lines;
  const subject = notices.length + more === 1 && first ? first.title : texts.several(notices.length + more, host);
  const foot: readonly (readonly [string, string])[] = [
    [texts.inbox, `${consoleUrl}/inbox`],
    [kinds.length === 1 ? texts.unsubscribe : texts.unsubscribeAll, leave],
  ];
  const beyond = more > 0 ? [texts.more(more)] : [];
  return {
    to: username,
    subject: oneLine(subject),
    text: textOf(lines, [...beyond, texts.why(host)], foot),
    html: htmlOf(preferences.language, lines, [...beyond, texts.why(host)], foot),
    headers: {
      "Message-ID": `<${idOf(notices)}@${new URL(baseUrl).hostname}>`,
      "List-Unsubscribe": `<${leave}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

function lineOf(notice: Notice, { language, timeZone }: Told, consoleUrl: string): Line {
  const texts = textsOf(language);
  const matter = notice.matter === null ? undefined : texts.matters[notice.matter];
  const due = notice.dueAt === null ? undefined : texts.due(dayAndTime(language, timeZone, notice.dueAt));
  return {
    title: oneLine(`${texts.kinds[notice.kind as NoticeKind]}: ${notice.name}`),
    details: [matter, due].filter((detail) => detail !== undefined),
    url: `${consoleUrl}/${notice.page}`,
  };
}

function dayAndTime(language: Told["language"], timeZone: string, moment: string): string {
  const form = { dateStyle: "long", timeStyle: "short", timeZone } as const;
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, form).format(new Date(moment));
}

/** The same notices have the same id, so that a mail program shows a mail that was sent again once. */
function idOf(notices: readonly Notice[]): string {
  const ids = notices.map(({ id }) => id).sort();
  return createHash("sha256").update(ids.join()).digest("hex").slice(0, 40);
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

function textOf(
  lines: readonly Line[],
  notes: readonly string[],
  foot: readonly (readonly [string, string])[],
): string {
  return [
    ...lines.flatMap(({ title, details, url }) => [title, ...details.map((one) => `  ${one}`), `  ${url}`, ""]),
    ...notes,
    ...foot.flatMap(([label, url]) => ["", label, url]),
    "",
  ].join("\n");
}

function htmlOf(
  language: string,
  lines: readonly Line[],
  notes: readonly string[],
  foot: readonly (readonly [string, string])[],
): string {
  const link = (url: string, label: string) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
  const items = lines.map(
    ({ title, details, url }) => `<li>${[link(url, title), ...details.map(escapeHtml)].join("<br>")}</li>`,
  );
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body>`,
    `<ul>${items.join("")}</ul>`,
    ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
    ...foot.map(([label, url]) => `<p>${link(url, label)}</p>`),
    "</body></html>",
  ].join("\n");
}
