import { type ClientRequest, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { NetworkGuard } from '../platform/network/network-guard.ts';
import { canonicalHost } from '../platform/network/network-policy.ts';

export interface CameraRequestOptions {
  readonly method?: string | undefined;
  readonly headers: OutgoingHttpHeaders;
  readonly authorization: string | null;
  readonly signal?: AbortSignal;
}

/**
 * A request to the web server of a camera. It connects to the address that the guard has checked, and does not check the
 * certificate, because most cameras sign their own.
 * @param url http or https
 * @returns a request that the caller ends
 * @throws RefusedAddress, or an error of the look-up
 */
export async function cameraRequest(
  guard: NetworkGuard,
  url: URL,
  { method, headers, authorization, signal }: CameraRequestOptions,
): Promise<ClientRequest> {
  const isTls = url.protocol === 'https:';
  const host = canonicalHost(url.hostname) ?? '';
  const port = Number(url.port || (isTls ? 443 : 80));
  const { address } = await guard.resolve(host, port);
  return (isTls ? httpsRequest : httpRequest)({
    ...{ host: address, port, method, path: url.pathname + url.search, agent: false, setHost: false },
    ...(signal && { signal }),
    headers: { ...headers, host: url.host, ...(authorization !== null && { authorization }) },
    insecureHTTPParser: true,
    ...(isTls && { rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) }),
  });
}
