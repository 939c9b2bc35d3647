import { describe, expect, it } from "vitest";
import { chatMessage } from "./write-message.js";

const HOSTILE = "*a* <!channel> @here [x](https://evil.example) & `b`\n# c";
const line = { text: HOSTILE, url: "https://reeve.example/console/inbox/rvw_1" };

describe("a message to a chat", () => {
  it("of Slack shows text as it is, with a button to the page", () => {
    expect(chatMessage("slack", [line], "2 more")).toEqual({
      text: "*a* &lt;!channel&gt; @here [x](https://evil.example) &amp; `b` # c\n2 more",
      blocks: [
        {
          type: "section",
          text: { type: "plain_text", text: HOSTILE.replace("\n", " "), emoji: false },
          accessory: { type: "button", text: { type: "plain_text", text: "↗", emoji: false }, url: line.url },
        },
        { type: "context", elements: [{ type: "plain_text", text: "2 more", emoji: false }] },
      ],
    });
  });

  it("of Teams is one adaptive card whose text knows no markup", () => {
    expect(chatMessage("teams", [line], undefined)).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            type: "AdaptiveCard",
            body: [
              {
                type: "RichTextBlock",
                inlines: [{ type: "TextRun", text: HOSTILE.replace("\n", " ") }],
                selectAction: { type: "Action.OpenUrl", url: line.url },
              },
            ],
          },
        },
      ],
    });
  });

  it("of Mattermost escapes its Markdown and calls nobody", () => {
    const { text } = chatMessage("mattermost", [line], undefined) as { text: string };
    expect(text).toBe(
      `- [\\*a\\* \\<\\!channel\\> @\u200bhere \\[x\\]\\(https\\://evil\\.example\\) & \\\`b\\\` \\# c](${line.url})`,
    );
  });

  it("is cut to what each program takes", () => {
    for (const app of ["slack", "teams", "mattermost"] as const)
      expect(JSON.stringify(chatMessage(app, [{ ...line, text: "ä".repeat(5_000) }], undefined)).length).toBeLessThan(
        3_000,
      );
  });
});
