export { readReply, StampFault, type TimeStamp } from "./read-reply.js";
export { type StampRequest, stampRequest } from "./write-request.js";
