import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface StaticFile {
  readonly type: string;
  readonly content: Buffer;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** No script but ours, nothing from elsewhere, in no frame. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const START = `SwaggerUIBundle({
  url: document.querySelector('link[rel="service-desc"]').href,
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: false,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

/** Files of the browsable page by name; the page itself is the empty name. */
export function docsPage(title: string): ReadonlyMap<string, StaticFile> {
  const files = dirname(require.resolve('swagger-ui-dist/package.json'));
  const packaged = (name: string, type: string): [string, StaticFile] => [
    name,
    { type, content: readFileSync(join(files, name)) },
  ];
  const own = (content: string, type: string): StaticFile => ({ type, content: Buffer.from(content) });
  return new Map([
    ['', own(pageOf(title), HTML)],
    ['start.js', own(START, SCRIPT)],
    packaged('swagger-ui.css', STYLE),
    packaged('swagger-ui-bundle.js', SCRIPT),
    packaged('favicon-32x32.png', 'image/png'),
  ]);
}

/** Addresses are relative, so that the page works behind a proxy that adds a path. */
function pageOf(title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="service-desc" type="application/json" href="openapi.json" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="page"></div>
    <noscript>The description itself: <a href="openapi.json">openapi.json</a></noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
}
