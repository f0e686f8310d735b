import type { Request, Response } from 'express';
import { explainKey } from '../../platform/explain/explain-key.ts';
import { ApiError } from '../errors.ts';
import { flag } from '../fields.ts';
import { type Caller, type Credentials, mayOpen, requireScope } from '../permission.ts';
import type { Route } from '../route.ts';
import { clientNetwork } from '../server/client-network.ts';
import type { OwnPageOptions } from '../session/own-page.ts';
import { isRead, requireOwnPage, requireOwnPageOfBrowser } from '../session/own-page.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { hasBody } from './json-body.ts';

interface Admission {
  readonly response: Response;
  readonly options: EndpointOptions;
}

/** Authenticates the caller, counts the request and checks the scope. @returns null where nobody has to be known */
export async function admit(
  route: Route,
  request: Request,
  { response, options }: Admission,
): Promise<Caller | null> {
  if (route.scope === null) {
    await options.requestLimit.consume(`address ${clientNetwork(request.ip)}`, response);
    if (route.signsIn) requireOwnPageOfBrowser(request, pageOptions(request, options));
    return null;
  }
  const credentials = credentialsOf(request, options.cookies);
  if (route.orNothing === 'signedOut' && isNobody(credentials) && asksForNothing(request)) {
    await options.requestLimit.consume(`address ${clientNetwork(request.ip)}`, response);
    return null;
  }
  const caller = await identify(request, credentials, { response, options });
  response.locals.userId = caller.userId;
  await options.requestLimit.consume(caller.credentialId, response);
  await options.userLimit.consume(caller.userId, response);
  requireScope(caller, route.scope);
  return caller;
}

/**
 * For answers that last: whether the key or session of the request may still open the route. A revoked one may not, at most
 * ten seconds later.
 */
export function stillAllowed(
  route: Route,
  request: Request,
  { authenticate, cookies }: Pick<EndpointOptions, 'authenticate' | 'cookies'>,
): () => Promise<boolean> {
  const { scope } = route;
  if (scope === null) return async () => true;
  const credentials = credentialsOf(request, cookies);
  return async () => {
    const caller = await authenticate(credentials);
    return caller !== null && mayOpen(caller, scope);
  };
}

const isNobody = ({ authorization, session }: Credentials): boolean =>
  authorization === undefined && session === undefined;
/** The query is checked only when the caller is known. */
const asksForNothing = ({ query }: Request): boolean => flag().safeParse(query.orNothing).data === true;

/** Types of bodies that a form of another page cannot send without the consent of the service. */
const BODY_TYPES = ['application/json', 'video/*', 'application/octet-stream'];

/** What says who sends the request. A request with a header Authorization has no session, whatever its cookies say. */
function credentialsOf(request: Request, cookies: EndpointOptions['cookies']): Credentials {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined || cookie === undefined) return { authorization };
  return {
    authorization: undefined,
    session: cookies.read(request, 'vas'),
    address: request.ip,
    userAgent: request.headers['user-agent'],
  };
}

/**
 * Authenticates the caller. Each address has a limit of failures. It pays one point before the key or session is read from
 * the database, so that an address beyond its limit causes no query; a valid one gets the point back.
 * @throws ApiError UNAUTHORIZED, RATE_LIMITED, CROSS_ORIGIN, UNSUPPORTED_MEDIA_TYPE
 */
async function identify(
  request: Request,
  credentials: Credentials,
  { response, options }: Admission,
): Promise<Caller> {
  if (credentials.session !== undefined) requireSafe(request, options);
  const address = clientNetwork(request.ip);
  let isPaid = false;
  const pay = async () => {
    if (!isPaid) await options.failureLimit.consume(address, response);
    isPaid = true;
  };
  const caller = await options.authenticate(credentials, pay);
  if (caller) {
    if (isPaid) await options.failureLimit.giveBack(address, response);
    return caller;
  }
  await pay();
  throw new ApiError(
    'UNAUTHORIZED',
    credentials.session === undefined
      ? explainKey(request.headers)
      : 'The session is not valid: it was ended, revoked or has expired. Sign in again with POST /session',
  );
}

/** Checks what a cookie needs in addition to a key, because browsers send it by themselves. */
function requireSafe(request: Request, options: EndpointOptions): void {
  requireOwnPage(request, pageOptions(request, options));
  if (isRead(request) || !hasBody(request) || request.is(BODY_TYPES)) return;
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'With a session, send the body as Content-Type: application/json',
  );
}

const pageOptions = (request: Request, { cookies, context }: EndpointOptions): OwnPageOptions => ({
  publicUrl: context.config.publicUrl,
  isHttps: cookies.isHttps(request),
});
