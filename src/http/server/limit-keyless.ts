import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { clientNetwork } from './client-network.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Limits requests that need no API key by address: documentation, readiness and unknown paths. `/healthz` is never
 * counted; `/readyz` is not counted when the request comes from the same machine.
 */
export function limitKeyless(limit: RateLimit): RequestHandler {
  return async (request, response, next) => {
    if (!isProbe(request)) await limit.consume(clientNetwork(request.ip), response);
    next();
  };
}

const isProbe = ({ path, ip }: Request): boolean =>
  path === '/healthz' || (path === '/readyz' && ip !== undefined && isLoopback(ip));

const isLoopback = (ip: string): boolean => ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
