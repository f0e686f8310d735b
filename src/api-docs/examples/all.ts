import type { Examples } from '../../http/openapi/examples.ts';
import { ACCESS_EXAMPLES } from './access.ts';
import { ALERT_EXAMPLES } from './alerts.ts';
import { ANALYSIS_EXAMPLES } from './analysis.ts';
import { ATTRIBUTE_EXAMPLES } from './attributes.ts';
import { BILLING_EXAMPLES } from './billing.ts';
import { CHECK_EXAMPLES } from './checks.ts';
import { DISCOVERY_EXAMPLES } from './discovery.ts';
import { HISTORY_EXAMPLES } from './history.ts';
import { ERROR_EXAMPLES, INTEGRATION_EXAMPLES } from './integration.ts';
import { METRIC_EXAMPLES } from './metrics.ts';
import { NOTIFICATION_EXAMPLES } from './notifications.ts';
import { OVERVIEW_EXAMPLES } from './overview.ts';
import { PRIVACY_EXAMPLES } from './privacy.ts';
import { RECORDING_EXAMPLES } from './recordings.ts';
import { REPORT_EXAMPLES } from './reports.ts';
import { COMMON_EXAMPLES, PARAMETER_EXAMPLES, SHOP_EXAMPLES } from './shop.ts';

/** The examples of the documentation. All are about one shop on one morning, so that ids of one call fit the others. */
export const API_EXAMPLES: Examples = {
  ...COMMON_EXAMPLES,
  ...SHOP_EXAMPLES,
  ...ANALYSIS_EXAMPLES,
  ...METRIC_EXAMPLES,
  ...HISTORY_EXAMPLES,
  ...ALERT_EXAMPLES,
  ...ATTRIBUTE_EXAMPLES,
  ...CHECK_EXAMPLES,
  ...OVERVIEW_EXAMPLES,
  ...REPORT_EXAMPLES,
  ...BILLING_EXAMPLES,
  ...DISCOVERY_EXAMPLES,
  ...RECORDING_EXAMPLES,
  ...INTEGRATION_EXAMPLES,
  ...NOTIFICATION_EXAMPLES,
  ...ACCESS_EXAMPLES,
  ...PRIVACY_EXAMPLES,
  ...ERROR_EXAMPLES,
  ...PARAMETER_EXAMPLES,
};
