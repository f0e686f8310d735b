import type { z } from 'zod';
import { spanOf } from '../buckets.ts';
import type { ReadTill, ReadTills, TillBucket } from './read-tills.ts';
import type { tillRow, tills } from './schema.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

export function presentTills({
  edges,
  buckets,
  total,
  tills: read,
  ...rest
}: ReadTills): z.input<typeof tills> {
  const { fromMs, toMs } = spanOf(edges);
  return {
    from: iso(fromMs),
    to: iso(toMs),
    ...rest,
    ...total,
    t: edges.slice(0, -1).map(iso),
    series: {
      avgOpenTills: buckets.map(({ avgOpenTills }) => avgOpenTills),
      tillUtilization: buckets.map(({ tillUtilization }) => tillUtilization),
      waitedWithFreeTillSeconds: buckets.map(({ waitedWithFreeTillSeconds }) => waitedWithFreeTillSeconds),
    },
    tills: read.map(presentTill),
  };
}

function presentTill({ tillId, total, buckets, spans }: ReadTill): z.input<typeof tills>['tills'][number] {
  const column = <Name extends keyof TillBucket>(name: Name) => buckets.map((bucket) => bucket[name]);
  return {
    tillId,
    ...total,
    series: {
      services: column('services'),
      avgServiceSeconds: column('avgServiceSeconds'),
      p90ServiceSeconds: column('p90ServiceSeconds'),
      servingSeconds: column('servingSeconds'),
      freeSeconds: column('freeSeconds'),
      closedSeconds: column('closedSeconds'),
      unknownSeconds: column('unknownSeconds'),
      utilization: column('utilization'),
    },
    spans: spans?.map(({ state, fromMs, toMs }) => ({ state, from: iso(fromMs), to: iso(toMs) })) ?? null,
  };
}

export function* tillRows({ edges, tills: read }: ReadTills): Generator<z.input<typeof tillRow>> {
  for (const [at, edge] of edges.slice(0, -1).entries())
    for (const { tillId, buckets } of read) yield { t: iso(edge), tillId, ...buckets[at]! };
}
