import type { Tag } from '../http/openapi/openapi.ts';

/** The chapters of the API's documentation; the first whose paths match holds a route. */
export const API_TAGS: readonly Tag[] = [
  {
    name: 'Analysis',
    description: 'Start and stop the analysis of a device, its state, its history and its tasks.',
    paths: /^\/(devices\/\{id\}\/analysis|analysis\/tasks)(\/|$)/,
  },
  {
    name: 'Attributes',
    description: 'What pedestrians look like: counts of 27 attributes, for devices of plan LEVEL_02.',
    paths: /^\/analysis\/(attributes|insights\/attributes|insights\/\{id\}\/attributes)(\/|$)/,
  },
  {
    name: 'Insights',
    description: 'One insight per alert event: what a visual language model saw. Lists, search, pictures.',
    paths: /^\/(analysis\/insights|images)(\/|$)/,
  },
  {
    name: 'Alert events',
    description: 'What fired, when and how often.',
    paths: /^\/analysis\/alerts(\/|$)/,
  },
  {
    name: 'Alert rules',
    description: 'When a metric is worth an alert, and the metrics there are.',
    paths: /^\/alerts(\/|$)/,
  },
  { name: 'Devices', description: 'Cameras and other sources of video.', paths: /^\/devices(\/|$)/ },
  {
    name: 'Scenes',
    description: 'What is analysed on a device: zones and parameters.',
    paths: /^\/scenes(\/|$)/,
  },
  {
    name: 'Analytics',
    description: 'The numbers: snapshots of what is now, rolling statistics of the last minutes.',
    paths: /^\/analytics(\/|$)/,
  },
  { name: 'Billing', description: 'Quota, use, trends and the ledger.', paths: /^\/billing(\/|$)/ },
  { name: 'Usage', description: 'Use of a month, of the user and of a device.', paths: /^\/usage(\/|$)/ },
  {
    name: 'Webhook',
    description: 'The one HTTPS address events are sent to, its secret and every delivery.',
    paths: /^\/users\/me\/webhook(\/|$)/,
  },
  { name: 'Stream', description: 'Events as they happen, as server-sent events.', paths: /^\/stream(\/|$)/ },
  { name: 'API keys', description: 'Make, list and revoke keys.', paths: /^\/api-keys(\/|$)/ },
  {
    name: 'Administration',
    description: 'Users, quotas, compute nodes and announcements; for the operator.',
    paths: /^\/admin(\/|$)/,
  },
];
