import type { Examples } from '../http/openapi/examples.ts';

const fault = (path: string, message: string) => ({
  message: `${path}: ${message}`,
  details: [{ path, message }],
});

/** Messages of errors by code; errors without one show their meaning. */
export const ERROR_EXAMPLES: Examples['errors'] = {
  VALIDATION_ERROR: fault('deviceID', 'is not a query parameter here. Did you mean deviceId?'),
  INVALID_JSON: {
    message: 'The body is not valid JSON at line 3, column 1. There is a comma before a closing bracket',
  },
  INVALID_BILLING_PERIOD: fault(
    'billingPeriod',
    'must be a month like 2026-01, from 2000-01 to 2999-12; received "2026-13"',
  ),
  INVALID_DATE_RANGE: fault(
    'startDate',
    'must not lie after endDate, 2026-01-01T00:00:00.000Z; received "2026-02-01"',
  ),
  INVALID_METRIC_PATH: fault(
    'conditions.0.metricPath',
    'must be a metric; received "current.inqueue". Did you mean current.inQueue? GET /alerts/metrics/queue_analysis lists them all',
  ),
  UNAUTHORIZED: { message: 'The request has no API key. Send it as Authorization: Bearer <API_KEY>' },
  INSUFFICIENT_SCOPE: { message: 'This API key does not have the scope scene:write' },
  NOT_FOUND: { message: 'Scene not found' },
};
