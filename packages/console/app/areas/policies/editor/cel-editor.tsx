import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useId, useRef } from "react";
import { t } from "../../../texts/index.js";
import type { Validation } from "../terms.js";
import { completionsOf } from "./completions.js";
import { scriptedStyles } from "./scripted-styles.js";
import type { Vocabulary } from "./vocabulary.js";

interface CelEditorProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the server finds wrong with it, each with its place. */
  readonly faults: readonly Validation["faults"][number][];
  /** Of a fault without a place. */
  readonly fault: string | undefined;
  readonly vocabulary: Vocabulary;
}

const LOOKS = EditorView.theme({
  "&": { fontSize: "0.9rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    fontFamily: "ui-monospace, monospace",
    padding: "0.5rem 0",
    minHeight: "2.5rem",
    caretColor: "var(--ink)",
  },
  ".cm-content:focus-visible": { outline: "3px solid var(--focus)", outlineOffset: "2px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { background: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "inherit" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { background: "var(--busy-ground)" },
});

/** An expression, with what it may name as completions, and faults where the server finds them. Tab leaves it. */
export function CelEditor({ label, hint, value, onChange, faults, fault, vocabulary }: CelEditorProps) {
  const at = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const id = useId();
  const latest = useRef({ onChange, vocabulary });
  latest.current = { onChange, vocabulary };
  const first = useRef(value);
  useEffect(() => {
    if (!at.current) return;
    const editor = new EditorView({
      parent: at.current,
      root: scriptedStyles(document),
      state: EditorState.create({
        doc: first.current,
        extensions: [
          history(),
          bracketMatching(),
          autocompletion({ override: [completionsOf(() => latest.current.vocabulary, t.policies.editor.optional)] }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-labelledby": `${id}-name`,
            "aria-describedby": `${id}-hint ${id}-fault`,
          }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString());
          }),
          LOOKS,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [id]);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    editor.contentDOM.setAttribute("aria-invalid", String(faults.length > 0 || fault !== undefined));
    editor.dispatch(setDiagnostics(editor.state, marksOf(editor.state.doc, faults)));
  }, [faults, fault]);
  return (
    <div className="field">
      <span id={`${id}-name`} className="cel-name">
        {label}
      </span>
      <div ref={at} className="cel" />
      <p id={`${id}-hint`} className="muted small">
        {hint} {t.policies.editor.leaves}
      </p>
      <p id={`${id}-fault`} className="fault">
        {faults[0]?.message ?? fault}
      </p>
    </div>
  );
}

/** Faults as marks. Each reaches from its place to the end of the word that stands there. */
function marksOf(doc: Text, faults: CelEditorProps["faults"]): Diagnostic[] {
  return faults.flatMap(({ line, column, message }): Diagnostic[] => {
    if (line === null || column === null || line > doc.lines) return [];
    const there = doc.line(line);
    const from = Math.min(there.from + column - 1, there.to);
    const word = /^\w*/.exec(there.text.slice(from - there.from))?.[0] ?? "";
    return [{ from, to: Math.min(from + Math.max(word.length, 1), there.to), severity: "error", message }];
  });
}
