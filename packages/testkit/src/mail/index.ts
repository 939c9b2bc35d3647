export { type MailServer, type MailServerBehaviour, type ReceivedMail, startMailServer } from "./mail-server.js";
