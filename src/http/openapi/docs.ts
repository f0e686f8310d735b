import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router } from 'express';
import helmet from 'helmet';
import { EXAMPLE_KEY, HEADER } from '../idempotency/idempotency-key.ts';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Addresses are relative, so that the page also works below a path of a proxy. */
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
 * No validatorUrl: nothing is sent anywhere but to this API. The key is forgotten with the page. The page fills in examples:
 * the one of the Idempotency-Key would give every second call the answer of the first, and is not sent.
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
 * `/docs`: the API's documentation, where one can try calls with a key; everything on it comes from here.
 * @param publicUrl where its calls go if that is not where the page is from
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
    // Below /docs/ the relative addresses would be wrong.
    if (request.originalUrl.startsWith('/docs/')) response.redirect('../docs');
    else response.type('html').send(PAGE);
  });
  router.get('/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  return router;
}

/** The unchanging files of that page, which nobody's limit counts. */
export function docsFiles(): Router {
  const router = Router();
  for (const name of FILES) {
    router.get(`/docs/${name}`, (_request, response) =>
      response.sendFile(name, { root: SWAGGER_UI, maxAge: '1h' }),
    );
  }
  return router;
}
