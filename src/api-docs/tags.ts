import type { Tag } from '../http/openapi/openapi.ts';

/** The chapters of the API documentation; a route belongs to the first whose `paths` match. */
export const API_TAGS: readonly Tag[] = [
  {
    name: 'Analysis',
    description: 'Start and stop the analysis of a device; read its status, history and tasks.',
    paths: /^\/(devices\/\{id\}\/analysis|analysis\/tasks)(\/|$)/,
  },
  {
    name: 'Attributes',
    description: 'Counts of 27 pedestrian attributes, for devices of plan LEVEL_02.',
    paths: /^\/analysis\/(attributes|insights\/attributes|insights\/\{id\}\/attributes)(\/|$)/,
  },
  {
    name: 'Insights',
    description:
      'Each alert event has one insight: a summary of its images by a visual language model. Lists, search and images.',
    paths: /^\/(analysis\/insights|images)(\/|$)/,
  },
  {
    name: 'Alert events',
    description: 'Which rules fired, when and how often.',
    paths: /^\/analysis\/alerts(\/|$)/,
  },
  {
    name: 'Alert rules',
    description: 'Rules that fire on metrics, and the list of metrics.',
    paths: /^\/alerts(\/|$)/,
  },
  { name: 'Devices', description: 'Cameras and other sources of video.', paths: /^\/devices(\/|$)/ },
  {
    name: 'Recordings',
    description: 'Uploaded video files, which are analysed like cameras, faster than real time.',
    paths: /^\/recordings(\/|$)/,
  },
  {
    name: 'Sites',
    description: 'Devices that are looked at together: a shop, a floor, a row of tills.',
    paths: /^\/sites(\/|$)/,
  },
  {
    name: 'Scenes',
    description: 'What is analysed on a device: zones and parameters of an analysis.',
    paths: /^\/(scenes|checks|check-stills)(\/|$)/,
  },
  {
    name: 'Analytics',
    description:
      'Stored metrics: snapshots of the current state, rolling statistics of the last minutes, metrics over time, and visits.',
    paths: /^\/(analytics|overview|visits)(\/|$)/,
  },
  {
    name: 'Reports',
    description: 'A day or a week of a site, compared with the week before; also by e-mail.',
    paths: /^\/reports(\/|$)/,
  },
  { name: 'Billing', description: 'Quota, usage, trends and the ledger.', paths: /^\/billing(\/|$)/ },
  { name: 'Usage', description: 'Usage of a month, per user and per device.', paths: /^\/usage(\/|$)/ },
  {
    name: 'Webhook',
    description: 'The HTTPS address to which events are sent, its signing secret and its deliveries.',
    paths: /^\/users\/me\/webhook(\/|$)/,
  },
  {
    name: 'Notifications',
    description:
      'Messages by e-mail and Web Push for people who are not looking: channels, subscriptions, and the attempts to send.',
    paths: /^\/notifications(\/|$)/,
  },
  {
    name: 'Stream',
    description: 'Events in real time, as server-sent events, and their list.',
    paths: /^\/(stream|events)(\/|$)/,
  },
  {
    name: 'Sessions',
    description:
      'Sign in, sign out and create the first administrator; list and revoke the sessions of phones, browsers and screens.',
    paths: /^\/(session|sessions|login-codes|setup)(\/|$)/,
  },
  {
    name: 'Account',
    description: 'The user of the call: name, time zone, password; announcements of the operator.',
    paths: /^\/(users\/me|announcements)$/,
  },
  { name: 'API keys', description: 'Create, list and revoke API keys.', paths: /^\/api-keys(\/|$)/ },
  {
    name: 'Privacy',
    description:
      'The audit log: who did what with the account, and who looked at its pictures. Exports and erasures of a time range.',
    paths: /^\/(audit|privacy)(\/|$)/,
  },
  {
    name: 'Administration',
    description:
      'Users, quotas, compute nodes, announcements and the audit log of all users; for the operator.',
    paths: /^\/admin(\/|$)/,
  },
];
