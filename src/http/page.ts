import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { PROJECT } from '../platform/project.ts';
import { ONLY_HTTPS } from './answer/send.ts';

/** Where `scripts/page/build-page.mjs` writes the page. */
const FOLDERS = [join(PROJECT, 'dist/web')];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS | 'identity';

/** Files with the hash of their content in their name. */
const HASHED = /^assets\//;

interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly setPolicy: ReturnType<typeof policyOf>;
  readonly bytes: Readonly<Partial<Record<Encoding, Buffer>>>;
}

interface Built {
  /** Changes with each build. */
  readonly builtAtMs: number;
  readonly files: ReadonlyMap<string, PageFile>;
}

const NOT_BUILT = `The web page is not built.

npm run -s page    builds it, then load this address again
/docs              describes the API
`;

const SCRIPTS = /<script>(.*?)<\/script>/gs;

/**
 * Everything that the page may load comes from this service; scripts cannot turn texts into markup.
 * @param html of its scripts inside only these run
 */
const policyOf = (html: string) =>
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: [
        "'self'",
        ...Array.from(
          html.matchAll(SCRIPTS),
          ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
        ),
      ],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'blob:'],
      connectSrc: ["'self'"],
      manifestSrc: ["'self'"],
      // The preview of a report: a document of the API that runs no script.
      frameSrc: ["'self'"],
      workerSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      // The address of the service worker is the only script that the page names itself.
      trustedTypes: ['service-worker'],
    },
  });

/** `/`: the web page. Its files are read once after each build. No rate limit counts them. */
export function page(folders: readonly string[] = FOLDERS): Router {
  const router = Router();
  let built: Built | undefined;
  const load = (): Built | null => {
    const folder = folders.find((each) => existsSync(join(each, 'index.html')));
    if (folder === undefined) return null;
    const builtAtMs = statSync(join(folder, 'index.html')).mtimeMs;
    if (built?.builtAtMs !== builtAtMs) built = { builtAtMs, files: readFiles(folder) };
    return built;
  };

  router.get('/', (request, response) => {
    const file = load()?.files.get('index.html');
    if (file) send(request, response, file, 'no-cache');
    else response.status(404).type('text').send(NOT_BUILT);
  });
  const other: RequestHandler = (request, response, next) => {
    const name = request.path.slice(1);
    const file = (built ?? load())?.files.get(name);
    if (!file || name === 'index.html') return next();
    send(request, response, file, HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
  };
  router.get(['/assets/:name', '/:name'], other);
  return router;
}

function readFiles(folder: string): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const setPolicy = policyOf(readFileSync(join(folder, 'index.html'), 'utf8'));
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const identity = readFileSync(join(folder, name));
      // Weak, because the same file has different bytes in another encoding.
      const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
      const compressed = Object.entries(ENCODINGS).flatMap(([encoding, ending]) => {
        const path = join(folder, `${name}${ending}`);
        return existsSync(path) ? [[encoding, readFileSync(path)]] : [];
      });
      return [[name, { type, etag, setPolicy, bytes: { identity, ...Object.fromEntries(compressed) } }]];
    }),
  );
}

function send(request: Request, response: Response, file: PageFile, caching: string): void {
  file.setPolicy(request, response, () => {});
  // Over plain http browsers ignore these headers, and write an error for each of them.
  if (!request.secure) for (const name of ONLY_HTTPS) response.removeHeader(name);
  response.setHeader('ETag', file.etag);
  response.setHeader('Cache-Control', caching);
  response.vary('Accept-Encoding');
  // Express compares If-None-Match with the ETag header of the answer.
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const offered = (['br', 'gzip', 'identity'] as const).filter((encoding) => file.bytes[encoding]);
  const encoding = (request.acceptsEncodings([...offered]) || 'identity') as Encoding;
  const bytes = file.bytes[encoding]!;
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Type', file.type);
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes);
}
