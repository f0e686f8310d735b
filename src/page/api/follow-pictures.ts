import { ApiFailure, type Resource } from '../../client/client.ts';
import { type LivePicture, readLivePicture } from './live-picture.ts';
import { boundaryOf, MultipartError, MultipartReader } from './multipart.ts';

/** What the connection for live pictures does. */
export type PicturesState =
  | { readonly kind: 'connecting' }
  /** Pictures come. */
  | { readonly kind: 'live' }
  /** No pictures come; another attempt follows. `failure` is null when the API could not be reached, or the answer ended. */
  | { readonly kind: 'waiting'; readonly failure: ApiFailure | null }
  /** There is no use in another attempt. */
  | { readonly kind: 'refused'; readonly failure: ApiFailure };

export interface FollowOptions {
  readonly url: string;
  readonly show: (picture: LivePicture) => void;
  readonly tell: (state: PicturesState) => void;
  readonly fetch?: typeof globalThis.fetch;
  /** Resolves after this time, and at once when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Acts after this time, unless the function that it returns was called. */
  readonly after?: (ms: number, act: () => void) => () => void;
  readonly random?: () => number;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** After so long without a byte the connection is dead: the API repeats the last picture every 15 seconds. */
const SILENT_MS = 40_000;
/** Answers after which another attempt gets the same answer. */
const FINAL: readonly number[] = [400, 401, 403, 404];

function afterTime(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

export function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** @returns how long to wait after so many attempts without a picture, with a fifth of chance in it */
export function pauseAfter(failures: number, random: () => number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
  return pause * (0.8 + 0.4 * random());
}

/**
 * Shows live pictures until the signal is aborted or the API refuses them. There is one connection at a time; a new one is
 * opened when it ends, after a pause that grows while no picture comes.
 */
export async function followPictures(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { tell, pause = pauseFor, random = Math.random } = options;
  let failures = 0;
  while (!signal.aborted) {
    tell({ kind: 'connecting' });
    const { failure, hasShown } = await readAnswer(options, signal);
    if (signal.aborted) return;
    if (failure && FINAL.includes(failure.status)) {
      tell({ kind: 'refused', failure });
      return;
    }
    if (hasShown) failures = 0;
    tell({ kind: 'waiting', failure });
    await pause(Math.max(pauseAfter(failures, random), (failure?.retryAfterSeconds ?? 0) * 1_000), signal);
    failures += 1;
  }
}

/** How an answer ended. */
interface Ended {
  readonly failure: ApiFailure | null;
  readonly hasShown: boolean;
}

async function readAnswer(options: FollowOptions, outer: AbortSignal): Promise<Ended> {
  const { url, fetch = globalThis.fetch, after = afterTime } = options;
  const own = new AbortController();
  const abort = () => own.abort();
  outer.addEventListener('abort', abort, { once: true });
  let cancel = after(SILENT_MS, abort);
  const onBytes = () => {
    cancel();
    cancel = after(SILENT_MS, abort);
  };
  let hasShown = false;
  const show = (picture: LivePicture) => {
    if (!hasShown) options.tell({ kind: 'live' });
    hasShown = true;
    options.show(picture);
  };
  try {
    if (outer.aborted) return { failure: null, hasShown };
    const response = await fetch(url, { signal: own.signal });
    if (!response.ok) return { failure: await failureOf(response), hasShown };
    await readPictures(response, { show, onBytes });
    return { failure: null, hasShown };
  } catch (error) {
    if (error instanceof MultipartError || own.signal.aborted || isNetworkError(error)) {
      return { failure: null, hasShown };
    }
    throw error;
  } finally {
    cancel();
    outer.removeEventListener('abort', abort);
    // Also when the answer cannot be read: the connection must not stay open.
    own.abort();
  }
}

/** fetch and the reader of a body throw a TypeError when the connection breaks. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name !== 'SyntaxError');

async function failureOf(response: Response): Promise<ApiFailure> {
  const body = (await response.json().catch(() => undefined)) as Resource<'Error'> | undefined;
  return new ApiFailure(response, body);
}

interface Reading {
  readonly show: (picture: LivePicture) => void;
  readonly onBytes: () => void;
}

/** Shows only the newest picture of what has arrived, and no picture twice. */
async function readPictures(response: Response, { show, onBytes }: Reading): Promise<void> {
  const boundary = boundaryOf(response.headers.get('Content-Type'));
  if (boundary === null || response.body === null) throw new MultipartError('The answer has no parts.');
  const reader = new MultipartReader(boundary);
  const body = response.body.getReader();
  let shownMs = Number.NEGATIVE_INFINITY;
  while (!reader.hasEnded) {
    const { done, value } = await body.read();
    if (done) return;
    onBytes();
    const picture = reader
      .push(value)
      .map(readLivePicture)
      .findLast((each) => each !== null);
    if (!picture || picture.capturedAtMs <= shownMs) continue;
    shownMs = picture.capturedAtMs;
    show(picture);
  }
}
