/** The effect that annotations claim: 0 reads only, 1 adds, 2 may destroy. What is not denied is assumed. */
export function claimedHarm(annotations: Readonly<Record<string, unknown>> | undefined): 0 | 1 | 2 {
  if (annotations?.readOnlyHint === true) return 0;
  return annotations?.destructiveHint === false ? 1 : 2;
}
