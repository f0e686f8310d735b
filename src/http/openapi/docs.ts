import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router } from 'express';
import helmet from 'helmet';
import { EXAMPLE_KEY, HEADER } from '../idempotency/idempotency-key.ts';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The addresses are relative, so that the page also works when a proxy serves it below a path. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Video Analytics Service: API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" href="docs/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/**
 * Without validatorUrl the page sends requests to this API only. It does not store the API key. The page fills in
 * examples; the example Idempotency-Key is not sent, because every second call would get the answer of the first.
 */
const START = `SwaggerUIBundle({
  url: 'api/v1/openapi.json',
  dom_id: '#api',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  filter: true,
  requestInterceptor(request) {
    if (request.headers['${HEADER}'] === '${EXAMPLE_KEY}') delete request.headers['${HEADER}'];
    return request;
  },
});
`;

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * `/docs`: the documentation of the API, where people can try calls with an API key. It loads nothing from other hosts.
 * @param publicUrl address of the API, if it differs from that of the page
 */
export function docs(publicUrl: string | undefined): Router {
  const router = Router();
  router.use(
    helmet.contentSecurityPolicy({
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...(publicUrl ? [new URL(publicUrl).origin] : [])],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    }),
  );
  router.get('/', (request, response) => {
    // The relative addresses would be wrong below /docs/.
    if (request.originalUrl.startsWith('/docs/')) response.redirect('../docs');
    else response.type('html').send(PAGE);
  });
  router.get('/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  return router;
}

/** The static files of the page; no rate limit counts them. */
export function docsFiles(): Router {
  const router = Router();
  for (const name of FILES) {
    router.get(`/docs/${name}`, (_request, response) =>
      response.sendFile(name, { root: SWAGGER_UI, maxAge: '1h' }),
    );
  }
  return router;
}
