import autocannon from 'autocannon';
import { cpuSecondsOf } from '../cpu-time.ts';
import type { Program } from './programs.ts';

/** A request of a case; connections take the case's requests in turn. */
export interface BenchRequest {
  readonly method?: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
}

export interface Measured {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** CPU of the program for each request: what else the machine does hardly counts. Null where nobody tells. */
  readonly cpuMsPerRequest: number | null;
}

export interface MeasureOptions {
  readonly connections: number;
  readonly requests: readonly BenchRequest[];
  /** Send for so long … */
  readonly seconds?: number;
  /** … or each request once. */
  readonly once?: true;
  readonly expectStatus?: number;
}

/**
 * Sends over kept-alive connections, each the next as soon as it has its answer.
 * @throws Error when any answer has another status than expected: then a time says nothing
 */
export async function measure(
  { url, pid }: Pick<Program, 'url' | 'pid'>,
  options: MeasureOptions,
): Promise<Measured> {
  const { connections, requests, seconds = 5, once, expectStatus = 200 } = options;
  const times: number[] = [];
  let next = 0;
  const cpuBefore = cpuSecondsOf(pid);
  const startedAt = performance.now();
  const amount = once && {
    amount: requests.length,
    requests: [{ setupRequest: (all: autocannon.Request) => ({ ...all, ...shape(requests[next++]!) }) }],
  };
  const { errors, statusCodeStats = {} } = await new Promise<autocannon.Result>((resolve, reject) => {
    const given = amount ?? { duration: seconds, requests: requests.map(shape) };
    const run = autocannon({ url, connections, timeout: 60, ...given }, (error: Error | null, result) =>
      error ? reject(error) : resolve(result),
    );
    run.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  });
  const took = (performance.now() - startedAt) / 1000;
  const wrong = Object.keys(statusCodeStats).filter((status) => Number(status) !== expectStatus);
  const cpuAfter = cpuSecondsOf(pid);
  const what = `${requests[0]!.method ?? 'GET'} ${requests[0]!.path}`;
  if (wrong.length > 0) throw new Error(`${what} and the like answered ${wrong.join(', ')}: see the log`);
  if (errors > 0) throw new Error(`${errors} requests like ${what} had no answer`);
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    requests: times.length,
    requestsPerSecond: times.length / took,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    cpuMsPerRequest:
      cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1000) / times.length,
  };
}

const shape = ({ method = 'GET', path, key, body }: BenchRequest) => ({
  method,
  path,
  headers: {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-type': 'application/json' }),
  },
  ...(body && { body: JSON.stringify(body) }),
});
