import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import { VERSION } from '../config.ts';
import type { NewSpan, OpenSpan, SpanPlace, Tracer } from './span.ts';

/** Gives the first span of a trace the ids that other programs expect; all other ids are random. */
class PlacedIds extends RandomIdGenerator {
  next: SpanPlace | null = null;

  override generateTraceId = (): string => this.next?.traceId ?? this.#random.generateTraceId();
  override generateSpanId = (): string => this.next?.spanId ?? this.#random.generateSpanId();
  readonly #random = new RandomIdGenerator();
}

/** What all spans of this process have in common. The operator adds to it and overrides it with OTEL_RESOURCE_ATTRIBUTES. */
function resourceOf(service: string, program: string): Resource {
  const instance = resourceFromAttributes({
    'service.version': VERSION,
    // Random: programs in containers have the same process id, and often the same host name.
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
  });
  const given = detectResources({ detectors: [envDetector] });
  return defaultResource()
    .merge(instance)
    .merge(given)
    .merge(resourceFromAttributes({ 'service.name': service, program }));
}

/** Sends spans in batches to a collector, as OTLP over HTTP with JSON. */
export function openTracer({
  url,
  service,
  program,
}: {
  url: string;
  service: string;
  program: string;
}): Tracer {
  const ids = new PlacedIds();
  const provider = new BasicTracerProvider({
    resource: resourceOf(service, program),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  const tracer = provider.getTracer('video-analytics-service', VERSION);
  return {
    begin({ name, kind, attributes, startMs, parent, place }: NewSpan): OpenSpan {
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true })
        : ROOT_CONTEXT;
      ids.next = place;
      const spanKind = kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
      const span = tracer.startSpan(name, { kind: spanKind, startTime: startMs, attributes }, context);
      ids.next = null;
      const { traceId, spanId } = span.spanContext();
      return {
        traceId,
        spanId,
        end(added, error, endMs) {
          span.setAttributes(added);
          // Messages of errors may contain addresses; the log has them without secrets.
          if (error !== null)
            span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error)?.name ?? 'error' });
          span.end(endMs);
        },
      };
    },
    stop: () => provider.shutdown(),
  };
}
