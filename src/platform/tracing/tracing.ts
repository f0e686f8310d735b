import { AsyncLocalStorage } from 'node:async_hooks';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { Attributes, SpanPlace, Tracer } from './span.ts';

/** What traced work may tell about itself. */
export interface Traced {
  /** Null while nothing is traced; else the header `traceparent` for the called program. */
  readonly traceparent: string | null;
  add(attributes: Attributes): void;
}

const NOT_TRACED: Traced = { traceparent: null, add: () => undefined };
const STOP_MS = 5_000;

let tracer: Tracer | null = null;
let around: AsyncLocalStorage<SpanPlace> | null = null;

/**
 * Traces this program from now on where a collector is configured. The packages are loaded only then.
 * @param program `api` or `worker`
 */
export async function startTracing(
  config: Pick<
    Config,
    | 'otelExporterOtlpEndpoint'
    | 'otelExporterOtlpTracesEndpoint'
    | 'otelTracesExporter'
    | 'otelSdkDisabled'
    | 'otelServiceName'
  >,
  { program, logger }: { program: string; logger: Logger },
): Promise<{ stop(): Promise<void> }> {
  const { otelExporterOtlpEndpoint: base, otelExporterOtlpTracesEndpoint: whole } = config;
  const url = whole ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (!url || config.otelTracesExporter === 'none' || config.otelSdkDisabled)
    return { stop: async () => undefined };
  const { openTracer } = await import('./otlp.ts');
  tracer = openTracer({ url, service: config.otelServiceName, program });
  around = new AsyncLocalStorage();
  logger.info({ collector: new URL(url).origin }, 'Traces are sent to this collector');
  return {
    async stop() {
      const stopped = tracer?.stop();
      tracer = null;
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([stopped, late]).catch(() => undefined);
    },
  };
}

/**
 * The place of the first span of a trace. It follows from the id of the alert event, or of another event, so that every program that
 * works on it knows the trace without a stored context.
 * @param id a UUID
 */
export function placeOf(id: string): SpanPlace {
  const traceId = id.replaceAll('-', '').toLowerCase();
  // The last digits of a UUID are random.
  return { traceId, spanId: traceId.slice(16) };
}

export interface TracedWork {
  readonly name: string;
  readonly kind?: 'internal' | 'client';
  readonly attributes?: Attributes;
  /** The span around it; by default that of the calling code. `null`: it begins the trace `place`. */
  readonly parent?: SpanPlace | null;
  readonly place?: SpanPlace;
  /** When it began, in ms since 1970; now by default. */
  readonly startMs?: number;
}

/** Traces work that has ended, below the span of the calling code. Times are ms since 1970. */
export function tracePast(
  name: string,
  attributes: Attributes,
  { startMs, endMs }: { startMs: number; endMs: number },
): void {
  const parent = around?.getStore();
  if (!tracer || !parent) return;
  tracer.begin({ name, kind: 'internal', attributes, startMs, parent, place: null }).end({}, null, endMs);
}

/** Does the work, and traces it where tracing is on and something is around it. */
export async function traced<Result>(
  { name, kind = 'internal', attributes = {}, parent, place, startMs }: TracedWork,
  work: (span: Traced) => Promise<Result>,
): Promise<Result> {
  const outer = parent === undefined ? around?.getStore() : parent;
  if (!tracer || !around || outer === undefined) return work(NOT_TRACED);
  const from = { name, kind, attributes, startMs: startMs ?? Date.now() };
  const span = tracer.begin({ ...from, parent: outer, place: place ?? null });
  const { traceId, spanId } = span;
  let added: Attributes = {};
  const told: Traced = {
    traceparent: `00-${traceId}-${spanId}-01`,
    add(more) {
      added = { ...added, ...more };
    },
  };
  try {
    const result = await around.run({ traceId, spanId }, () => work(told));
    span.end(added, null);
    return result;
  } catch (error) {
    span.end(added, error);
    throw error;
  }
}
