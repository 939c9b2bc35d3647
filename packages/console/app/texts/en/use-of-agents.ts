const number = new Intl.NumberFormat("en");
const money = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 4 });
const calls = (count: number) => `${number.format(count)} ${count === 1 ? "call" : "calls"}`;

/** The use of models and tools that installations report. */
export const use = {
  lead: "As installations report it, in days of UTC. A number that a call did not say is unknown, and is in no sum.",
  group: "By",
  groups: {
    model: "Model",
    agent: "Agent",
    tool: "Tool",
    server: "MCP server",
    team: "Team",
    installation: "Installation",
    day: "Day (UTC)",
  },
  span: "Time",
  spans: { 7: "7 days", 30: "30 days", 90: "90 days" },
  list: "Use and cost by group",
  totals: "All together",
  columns: {
    models: "Calls of models",
    tools: "Calls of tools",
    failed: "Errors",
    refused: "Refused",
    input: "Tokens read",
    output: "Tokens written",
    cost: "Cost",
    runs: "Runs without their calls",
  },
  runs: (count: number) => `${number.format(count)}, whose tokens and cost are unknown`,
  money: (usd: number) => money.format(usd),
  unknownOf: (count: number) => `unknown of ${calls(count)}`,
  partly: (sum: string, count: number) => `${sum}, and unknown of ${calls(count)}`,
  noModelCall: "no call of a model",
  notSaid: "not said, or none",
  ofProvider: (name: string, provider: string) => `${name} (${provider})`,
  empty: { title: "No call was reported", detail: "Choose more days, or have clients send their telemetry." },
  byDay: {
    title: "By day",
    figure: "Picture of",
    figures: { calls: "Calls", tokens: "Tokens", cost: "Cost in USD" },
    labels: {
      calls: "Reported calls of each day",
      tokens: "Reported tokens of each day",
      cost: "Reported cost of each day",
    },
    table: "The same as a table",
    unknown: "not known",
    isPartly:
      "On some days calls did not say it. The bars of those days hold the others alone; the table says of how many.",
  },
};
