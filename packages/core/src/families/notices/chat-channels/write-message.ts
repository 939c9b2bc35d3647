import type { ChatApp } from "./fields.js";

/** One line of a message: plain text, and the page that it leads to. */
export interface MessageLine {
  readonly text: string;
  readonly url: string;
}

/** The longest text of a line, so that a message stays within the limits of each program. */
const LONGEST = 300;

/** A message in the form of the program. Nothing in a text can format, link or call anybody. */
export function chatMessage(app: ChatApp, lines: readonly MessageLine[], note: string | undefined): object {
  const short = lines.map(({ text, url }) => ({ text: cut(text), url }));
  return FORMS[app](short, note);
}

const cut = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return [...line].length > LONGEST ? `${[...line].slice(0, LONGEST - 1).join("")}…` : line;
};

type Form = (lines: readonly MessageLine[], note: string | undefined) => object;

/** Blocks with text in mrkdwn, which has three characters with a meaning that is escaped. */
const slack: Form = (lines, note) => ({
  text: [...lines.map(({ text }) => slackText(text)), ...(note === undefined ? [] : [slackText(note)])].join("\n"),
  blocks: [
    ...lines.map(({ text, url }) => ({
      type: "section",
      text: { type: "plain_text", text, emoji: false },
      accessory: { type: "button", text: { type: "plain_text", text: "↗", emoji: false }, url },
    })),
    ...(note === undefined ? [] : [{ type: "context", elements: [{ type: "plain_text", text: note, emoji: false }] }]),
  ],
});

const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** An adaptive card as Workflows take it. Rich text blocks know no markup. */
const teams: Form = (lines, note) => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [
          ...lines.map(({ text, url }) => ({
            ...richText(text),
            selectAction: { type: "Action.OpenUrl", url },
          })),
          ...(note === undefined ? [] : [richText(note)]),
        ],
      },
    },
  ],
});

const richText = (text: string) => ({ type: "RichTextBlock", inlines: [{ type: "TextRun", text }] });

/** Markdown, whose characters are escaped. A name after `@` would call people, so that a space without width parts them. */
const mattermost: Form = (lines, note) => ({
  text: [
    ...lines.map(({ text, url }) => `- [${markdownText(text)}](${url})`),
    ...(note === undefined ? [] : ["", markdownText(note)]),
  ].join("\n"),
});

const markdownText = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+\-.!|~<>:]/g, "\\$&").replaceAll("@", "@\u200b");

const FORMS: Readonly<Record<ChatApp, Form>> = { slack, teams, mattermost };
