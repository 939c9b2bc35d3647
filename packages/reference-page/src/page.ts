/**
 * The page. Links are relative to `/docs`, so that they work under any prefix and behind proxies that rewrite paths.
 * Scripts are files, because the page's content security policy forbids inline ones.
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
 * Starts the viewer with client calls added to the description. `validatorUrl: null`, because the validator's badge
 * would send the description's address to a third party.
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
