import { realSystem } from "@reeve/testkit/programs";

export const rsyslog = realSystem({
  name: "rsyslog",
  kind: "Receivers of the record",
  source: { debian: "rsyslog", version: "8.2302.0" },
  tests: ["packages/server/test/deliveries/under-kills.test.ts"],
  tried: ["10,000 events of a tenant arrive at receivers that are killed, in order, and prove their chain"],
  mustSet: ['`main_queue(queue.type="Direct")` or a queue on disk: it loses what it has in memory where it is killed'],
  unknown: [],
});
