import type { RequestHandler } from 'express';

const ALLOWED = {
  'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '600',
};
const EXPOSED = 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, X-Captured-At';

/** Allows web pages of exactly these origins to call the API. Only with an API key, which is in a header: cookies are not allowed. */
export function cors(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (!origin || !allowed.has(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    if (request.method === 'OPTIONS') response.set(ALLOWED).status(204).end();
    else next();
  };
}
