import { describeHost } from "./matrix/suite.js";

describeHost("plain http");
