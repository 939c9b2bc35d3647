/** Signing in and out, and the first steps. */
export const session = {
  title: (name: string) => `Sign in to ${name}`,
  username: "E-mail address",
  password: "Password",
  tenant: "Organisation",
  chooseTenant: "Several organisations know you. Choose one.",
  code: "Code",
  codeHint: "Six digits from your authenticator app.",
  recoveryCode: "Recovery code",
  recoveryHint: "One of the codes that you were given when you set up your app. It is good once.",
  usePasskey: "Use a passkey",
  useRecovery: "Use a recovery code",
  useApp: "Use the app",
  enrol: "Your organisation asks for a second factor. Add this key to an authenticator app:",
  enrolHint: "The six digits that the app shows for the key.",
  signIn: "Sign in",
  signingIn: "Signing in…",
  or: "or",
  refused: {
    title: "You were not signed in",
    codes: {
      denied: "You or your organisation's sign-in service refused.",
      not_accepted:
        "The answer of the sign-in service could not be accepted. If it happens again, tell your administrator.",
      unreachable: "The sign-in service cannot be reached at the moment. Try again in a minute.",
      expired: "It took too long, was done twice, or began in another window. Begin again.",
      unknown: "The sign-in service named nobody who may come in here. Ask your administrator for an account.",
      second_factor:
        "Your organisation demands a second factor, and the sign-in service did not say that it has asked you for one.",
      suspended: "Your organisation is suspended.",
    },
  },
  stepUp: {
    title: "Prove that it is you",
    prove: "Prove it",
    none: "You have no second factor here. Set one up in your account, and come back.",
    again: "Or sign in again, and come back to this page. Then do it once more.",
  },
  recovery: {
    title: "Keep your recovery codes",
    hint: "Each signs you in once when your app is lost. They are shown this once.",
    done: "I have kept them",
  },
  first: {
    title: (name: string) => `Welcome to ${name}`,
    hint: "There is no organisation yet. Make the first one; you become its owner.",
    organization: "Organisation",
    person: "Your name",
    passwordHint: "A phrase of some words is best. It is never sent anywhere else.",
    create: "Make the organisation",
    signIn: "Sign in instead",
  },
  welcome: {
    title: (organization: string) => `First steps of ${organization}`,
    hint: "Take them in any order. Each figure is what the server has now.",
    there: (count: number) => (count === 0 ? "none yet" : `${count} there`),
    more: "Other ways",
    tour: "npm run tour plays a whole story on this server, in an organisation of its own, and says how to sign in to it.",
    reference: "The reference of the API shows every operation with an example.",
    steps: {
      assets: {
        title: "Register agents, models and tools",
        detail: "One by one, from a file, or found by a connected system.",
      },
      people: {
        title: "Invite people",
        detail: "Who asks for an approval cannot give it, so that you need somebody besides you.",
      },
      policies: {
        title: "Install policies",
        detail: "A pack of policies says what an asset must have. Begin by observing.",
      },
      systems: {
        title: "Connect systems",
        detail: "Then Reeve sees who may do what in them, and grants and takes access.",
      },
    },
  },
};
