import type { Response } from 'express';
import { ApiError } from '../errors.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import type { Upload } from './upload.ts';

interface Run {
  readonly response: Response;
  /** The handler has its signal. */
  readonly aborter: AbortController;
  readonly options: EndpointOptions;
  /** With an upload the time between its bytes is limited instead. */
  readonly upload: Upload | undefined;
}

/** @throws ApiError SERVICE_UNAVAILABLE when the work takes longer than REQUEST_TIMEOUT_SECONDS */
export async function inTime<Result>(
  work: Promise<Result>,
  { response, aborter, options, upload }: Run,
): Promise<Result> {
  const timeLimitMs = options.context.config.requestTimeoutSeconds * 1000;
  const leave = () => {
    // Abort only if the handler may still be at work, because an abort creates an error with its stack.
    if (!response.writableFinished) aborter.abort();
  };
  // A client that left while its key was looked up has closed already: no event follows.
  if (response.closed) leave();
  else response.once('close', leave);
  if (upload) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      aborter.abort();
      reject(
        new ApiError('SERVICE_UNAVAILABLE', `No answer within ${timeLimitMs / 1000} seconds: try again`),
      );
    }, timeLimitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
