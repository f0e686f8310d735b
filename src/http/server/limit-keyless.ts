import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { clientNetwork } from './client-network.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Counts calls that need no key, by address: documentation, readiness, paths that do not exist. `/healthz` costs nothing
 * and is never counted; `/readyz` is not counted when a probe on the same machine asks.
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
