import { ApiFailure, createApi } from '../../client/client.ts';
import { noteAnswer, noteNoAnswer } from './connection.ts';

export type { Resource } from '../../client/client.ts';
export { ApiFailure };

/** A call that got no answer. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure';
}

declare global {
  /** What `index.html` has asked for, by address. Each answer is taken once. */
  var ahead: Map<string, Promise<Response>> | undefined;
}

function sent(request: Request): Promise<Response> {
  const answer = globalThis.ahead?.get(request.url);
  globalThis.ahead?.delete(request.url);
  return answer ?? fetch(request);
}

/** Says to `connection.ts` what became of each call. */
async function watchedFetch(request: Request): Promise<Response> {
  try {
    const response = await sent(request);
    // The service answers, and says that it cannot do this now: no worker runs.
    const isOwnRefusal =
      response.status === 503 && request.method !== 'GET' && response.headers.has('X-Request-Id');
    if (!isOwnRefusal) noteAnswer(response, new URL(request.url).pathname.endsWith('/api/v1/session'));
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    noteNoAnswer();
    throw new NetworkFailure('The service cannot be reached', { cause: error });
  }
}

/** The API of the service that this page comes from. The browser sends the cookie of the session. */
export const api = createApi({ url: '.', fetch: watchedFetch });
