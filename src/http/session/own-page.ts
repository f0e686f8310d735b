import type { Request } from 'express';
import { quoted } from '../../platform/explain/received.ts';
import { ApiError } from '../errors.ts';

const READS = new Set(['GET', 'HEAD']);

export const isRead = ({ method }: Pick<Request, 'method'>): boolean => READS.has(method);

export interface OwnPageOptions {
  /** Address that clients use; a proxy may hide it from the Host header. */
  readonly publicUrl: string | undefined;
  readonly isHttps: boolean;
}

/**
 * Checks that a request with a cookie comes from a page of this service. Browsers send cookies by themselves, also when
 * a page of somebody else causes the request; SameSite=Strict does not stop pages of the same site, such as another
 * port of this host. Reads need no proof, because over plain http browsers send none; writes do.
 * @throws ApiError CROSS_ORIGIN
 */
export function requireOwnPage(request: Request, options: OwnPageOptions): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin !== undefined && !isOwn(origin, request, options)) {
    const why = `It was sent by a page of ${quoted(origin)}, which is not the host of this request`;
    // The browser and the request disagree: something between them has changed the request.
    if (site !== 'same-origin') throw refused(why);
    throw refused(`${why}; a proxy seems to change the header Host: the operator must set PUBLIC_URL`);
  }
  if (site !== undefined) {
    // `none`: the person typed the address or opened a bookmark.
    if (site === 'same-origin' || (site === 'none' && isRead(request))) return;
    throw refused(`Its header Sec-Fetch-Site is ${quoted(String(site))}, not "same-origin"`);
  }
  if (origin === undefined && !isRead(request))
    throw refused('It says neither by Sec-Fetch-Site nor by Origin which page has sent it');
}

/** The same for a call that begins a session: programs, which send neither header, may make it. */
export function requireOwnPageOfBrowser(request: Request, options: OwnPageOptions): void {
  const { headers } = request;
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    requireOwnPage(request, options);
}

function isOwn(origin: string, request: Request, { publicUrl, isHttps }: OwnPageOptions): boolean {
  // `null` is the origin of sandboxed pages and files.
  const page = URL.canParse(origin) ? new URL(origin) : null;
  if (!page?.host) return false;
  if (publicUrl && page.origin === new URL(publicUrl).origin) return true;
  // A page over plain http may have been changed on the way.
  if (isHttps && page.protocol !== 'https:') return false;
  return page.host === hostOf(request, page.protocol);
}

/** The host without the default port, as an origin has it. */
function hostOf(request: Request, protocol: string): string | null {
  const host = `${protocol}//${request.host}`;
  return URL.canParse(host) ? new URL(host).host : null;
}

const refused = (why: string) =>
  new ApiError(
    'CROSS_ORIGIN',
    `This call with a session was refused: ${why}. Call from a page of this service, or use an API key`,
  );
