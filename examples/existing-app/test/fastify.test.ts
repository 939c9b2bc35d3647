import { describeHost } from "./matrix/suite.js";

// Request hooks apply to every plugin. Compression applies to routes when they are registered.
describeHost("Fastify", { cors: true, helmet: true, compression: false });
