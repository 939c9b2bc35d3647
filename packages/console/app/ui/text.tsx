import { Fragment } from "react";
import { t } from "../texts/index.js";

/** Characters that show nothing or turn the order of others: controls, formats as bidirectional ones, and zero-width ones. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Joiners within words and emoji, and what chooses the form of an emoji, belong to the writing. */
const BEFORE_JOINER = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const AFTER_JOINER = /^[\p{L}\p{M}\p{Extended_Pictographic}]/u;

function isOfWriting(character: string, before: string, after: string): boolean {
  if (character === "\n" || character === "\t") return true;
  if (character === "\u200c" || character === "\u200d") return BEFORE_JOINER.test(before) && AFTER_JOINER.test(after);
  return character === "\ufe0f" && /\p{Emoji}$/u.test(before);
}

/** Where a text has characters that one does not see. */
function hiddenIn(text: string): readonly (readonly [at: number, character: string])[] {
  return [...text.matchAll(HIDDEN)]
    .map(({ 0: character, index }) => [index, character] as const)
    .filter(([at, character]) => !isOfWriting(character, text.slice(0, at), text.slice(at + character.length)));
}

const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** A text for what holds no elements, as a title or a label: characters that one does not see stand as their codes. */
export function plainText(text: string): string {
  let from = 0;
  const parts = hiddenIn(text).map(([at, character]) => {
    const before = text.slice(from, at);
    from = at + character.length;
    return `${before}[${codeOf(character)}]`;
  });
  return parts.join("") + text.slice(from);
}

/**
 * A text from a record, as it is: it cannot change the order of what stands around it, and characters that one does not see
 * are named.
 */
export function Text({ children }: { readonly children: string | null | undefined }) {
  if (children === null || children === undefined) return <span className="muted">{t.unknown}</span>;
  if (children === "") return <span className="muted">{t.text.empty}</span>;
  let from = 0;
  const parts = hiddenIn(children).map(([at, character]) => {
    const before = children.slice(from, at);
    from = at + character.length;
    const code = codeOf(character);
    return (
      <Fragment key={at}>
        {before}
        <mark className="hidden-character" title={t.text.hidden(code)}>
          {code}
        </mark>
      </Fragment>
    );
  });
  return (
    <bdi className="text">
      {parts}
      {children.slice(from)}
    </bdi>
  );
}
