/** Long work, which goes on while one is on other pages. */
export const work = {
  title: "At work",
  states: { running: "at work", paused: "stopped", done: "done" },
  over: (title: string) => `Done: ${title}`,
  elsewhere: "It goes on while you are on other pages of the console.",
  notKept: "This browser keeps nothing for the console: when you close the tab, all of it is lost.",
  signOut: "Signing out removes it from this browser.",
  ...{ stop: "Stop", goOn: "Go on", putAway: "Put away" },
  about: (act: string, title: string) => `${act}: ${title}`,
  stopped: (label: string) => `Stopped. ${label}`,
  onClosing: {
    resumes:
      "When you close the tab, it stops. When you open the console in this browser within a day, it goes on where it was.",
    anew: "When you close the tab while it runs, it is asked for anew when you are back. Its result is kept in this browser for a day.",
    asks: "When you close the tab, it stops. When you are back within a day, you see which were decided, and are asked before it goes on.",
  },
};
