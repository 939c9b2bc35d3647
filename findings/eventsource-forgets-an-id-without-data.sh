#!/usr/bin/env bash
# eventsource 3.0.7 (with eventsource-parser 3.1.1): an id that stands in a block without data is forgotten.
#
# The HTML standard (server-sent events, "dispatch the event") sets the last event ID of the source before it looks whether there is data, so that a server can move a client on with
# "id: 7" and an empty line, and a message without an id has the last one as its lastEventId. Browsers do so. The library keeps ids of events with data only: it reconnects without
# Last-Event-ID, and the lastEventId of the next message is empty. A server that skips what is not for the client is asked for the same again and again, or, where it answers a client without
# an id by what comes from now on, what came between two requests is lost.
# Seen on Node 20.20: of three requests the third, after a message with an id and data, has Last-Event-ID.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund eventsource@3.0.7 eventsource-parser@3.1.1
cat >run.mjs <<'JS'
import { createServer } from "node:http";
import { EventSource } from "eventsource";

const answers = ["id: 7\n\ndata: no id of its own\n\n", "id: 8\ndata: with an id\n\n", ""];
let at = 0;
const server = createServer((request, response) => {
  console.log(`request ${at + 1}: Last-Event-ID ${request.headers["last-event-id"] ?? "absent"}`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`retry: 10\n${answers[at]}`);
  at += 1;
  if (at === answers.length) {
    source.close();
    server.close();
  }
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const source = new EventSource(`http://127.0.0.1:${server.address().port}/`);
source.onmessage = ({ data, lastEventId }) => console.log(`message "${data}": lastEventId "${lastEventId}"`);
JS
seen=$(node run.mjs)
echo "eventsource 3.0.7, eventsource-parser 3.1.1"
echo "$seen"
[ "$seen" = 'request 1: Last-Event-ID absent
message "no id of its own": lastEventId ""
request 2: Last-Event-ID absent
message "with an id": lastEventId "8"
request 3: Last-Event-ID 8' ]
