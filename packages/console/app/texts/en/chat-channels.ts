/** Channels of chats that notices are posted to. */
export const chatChannels = {
  leads: "Each matter is posted once, with its name and a link. Everybody in the channel reads the names.",
  list: "Channels of chats",
  columns: {
    ...{ name: "Name", app: "Program", kinds: "Notices", language: "Language", changed: "Last changed", acts: "Acts" },
  },
  apps: { slack: "Slack", teams: "Microsoft Teams", mattermost: "Mattermost" },
  languages: { en: "English", de: "German" },
  empty: { title: "No channel", detail: "Notices are posted to no chat." },
  readOnly: "You may see channels of chats. Only administrators add, test and remove them.",
  withheld: {
    title: "You may not see channels of chats",
    detail: "Administrators and auditors may. Ask an administrator of your organisation.",
  },
  add: "Add a channel",
  addHint: "By an incoming webhook of Slack or Mattermost, or a workflow of Teams that receives one.",
  url: "Address of the incoming webhook",
  urlHint: "It is a secret: Reeve seals it, and shows it to nobody again.",
  urlKept: "Leave it empty to keep the address. The one in use is shown to nobody.",
  change: "Change",
  changeOne: (name: string) => `Change ${name}`,
  test: "Test",
  testOne: (name: string) => `Test ${name}`,
  remove: "Remove",
  removeOne: (name: string) => `Remove ${name}`,
  removeHint: "Its address is removed too. Notices are not posted there any more.",
  tested: {
    taken: (name: string) => `${name} has taken the test message.`,
    refused: (name: string, answer: string) => `${name} has not taken the test message. Answer: ${answer}`,
    none: "no answer",
  },
};
