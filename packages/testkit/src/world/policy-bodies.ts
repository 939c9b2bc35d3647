/** A policy with tests of both outcomes, named by `text`. */
export function policyBody(kind: "posture" | "runtime", text: string) {
  const key = text.toLowerCase();
  const shared = { key, name: text, description: text, category: text, metadata: { note: text } };
  const names = (name: string) => ({ asset: { name } });
  const acts = (name: string) => ({ action: { name } });
  return kind === "posture"
    ? {
        ...shared,
        rules: [{ key: "named", assert: 'asset.name != ""', message: text, remediation: text }],
        tests: [
          { name: text, input: names(text), expect: "pass" },
          { name: "nameless", input: names(""), expect: "fail" },
        ],
      }
    : {
        ...shared,
        rules: [{ key: "drops", effect: "deny", if: 'action.name == "drop"', message: text }],
        tests: [
          { name: text, input: acts("drop"), expect: "deny" },
          { name: "else", input: acts("look"), expect: "none" },
        ],
      };
}
