/**
 * The page itself. Links are relative to `/docs`, so that they hold under any prefix and behind a proxy that rewrites paths;
 * scripts are files, because the content security policy of the page forbids inline ones.
 */
export const INDEX_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <noscript>This page needs JavaScript. The interface description is <a href="openapi.json">openapi.json</a>.</noscript>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script type="module" src="docs/start.js"></script>
  </body>
</html>
`;

/**
 * Starts the viewer on the description with the calls of the client in it. `validatorUrl: null`: the badge of the validator would
 * send the description's address to a third party.
 */
export const START_SCRIPT = `import { withClientCalls } from "./client-calls.mjs";

const updateJsonSpec = (update) => (document) => update(withClientCalls(document));

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  filter: true,
  validatorUrl: null,
  plugins: [{ statePlugins: { spec: { wrapActions: { updateJsonSpec } } } }],
});
`;
