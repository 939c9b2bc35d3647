/** Signing in and out. */
export const session = {
  title: (name: string) => `Sign in to ${name}`,
  username: "E-mail address",
  password: "Password",
  tenant: "Organisation",
  chooseTenant: "Several organisations know you. Choose one.",
  code: "Code",
  codeHint: "From your authenticator app, or one of your recovery codes.",
  signIn: "Sign in",
  signingIn: "Signing in…",
};
