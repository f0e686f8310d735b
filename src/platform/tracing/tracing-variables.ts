import { z } from 'zod';

/** The standard variables of OpenTelemetry that the programs read; its packages read the others themselves. */
export const TRACING_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'collector that gets traces as OTLP over HTTP with JSON, at `/v1/traces` below this address, e.g. http://localhost:4318; without it nothing is traced',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the whole address for traces, instead of the one above'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp').describe('`none` switches traces off'),
  OTEL_SDK_DISABLED: z.stringbool().default(false).describe('`true` switches traces off'),
  OTEL_SERVICE_NAME: z
    .string()
    .default('video-analytics')
    .describe('name of the service in traces; the attribute `program` is api or worker'),
};
