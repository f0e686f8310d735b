import autocannon from 'autocannon';
import { cpuSecondsOf } from '../../support/cpu-time.ts';
import { quantile } from '../../support/numbers.ts';
import type { ServerProgram } from '../../support/programs.ts';

export interface BenchRequest {
  readonly method?: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly key?: string;
  /** Texts and bytes are sent as they are, other objects as JSON. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Measured {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** CPU time of the program per request, which other load on the machine hardly changes. Null where it is unknown. */
  readonly cpuMsPerRequest: number | null;
}

export interface MeasureOptions {
  readonly connections: number;
  /** The connections send them in turn. */
  readonly requests: readonly BenchRequest[];
  /** How long to send. */
  readonly seconds?: number;
  /** Sends each request once, whatever `seconds` says. */
  readonly once?: true;
  readonly expectStatus?: number;
}

/**
 * Sends requests over kept-alive connections. Each connection sends the next request when it has its answer.
 * @throws Error when an answer has another status than expected, because then the times mean nothing
 */
export async function measure(
  { url, pid }: Pick<ServerProgram, 'url' | 'pid'>,
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
  const tookSeconds = (performance.now() - startedAt) / 1000;
  const wrong = Object.keys(statusCodeStats).filter((status) => Number(status) !== expectStatus);
  const cpuAfter = cpuSecondsOf(pid);
  const what = `${requests[0]!.method ?? 'GET'} ${requests[0]!.path}`;
  if (wrong.length > 0)
    throw new Error(`Requests like ${what} were answered ${wrong.join(', ')}: see the log`);
  if (errors > 0) throw new Error(`${errors} requests like ${what} had no answer`);
  return {
    requests: times.length,
    requestsPerSecond: times.length / tookSeconds,
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    p99Ms: quantile(times, 0.99),
    cpuMsPerRequest:
      cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1000) / times.length,
  };
}

const shape = ({ method = 'GET', path, key, body, headers }: BenchRequest) => ({
  method,
  path,
  headers: {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
  },
  ...(body && { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
});

/** The cells of requests a second and of the times, for a table. */
export const measuredCells = ({ requestsPerSecond, p50Ms, p95Ms, p99Ms }: Measured): string[] => [
  requestsPerSecond.toFixed(0),
  ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(1)),
];

/** The cell that compares p95 with its aim. */
export const aimCell = ({ p95Ms }: Measured, maxP95Ms: number): string =>
  `p95 ≤ ${maxP95Ms}${p95Ms > maxP95Ms ? ' MISSED' : ''}`;
