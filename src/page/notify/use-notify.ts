import { api, type Resource } from '../api/client.ts';
import { useCall } from '../api/query.ts';

export type Channel = Resource<'NotificationChannel'>;
export type Subscription = Resource<'NotificationSubscription'>;
export type Delivery = Resource<'NotificationDelivery'>;
export type ReportSubscription = Resource<'ReportSubscription'>;

/** The beginning of the keys of everything that the screen reads. */
export const NOTIFY_KEY = 'notifications';

/** An account has far fewer of each than a page of a list. */
const ALL = { limit: 100 } as const;
const REFRESH_MS = 10_000;

/** What happens elsewhere changes channels: confirmed on another screen, disabled by failures. */
export const useChannels = () =>
  useCall([NOTIFY_KEY, 'channels'], () => api.GET('/notifications/channels', { params: { query: ALL } }), {
    refetchInterval: REFRESH_MS,
  });

export const useSubscriptions = () =>
  useCall([NOTIFY_KEY, 'subscriptions'], () =>
    api.GET('/notifications/subscriptions', { params: { query: ALL } }),
  );

export const useReports = () =>
  useCall([NOTIFY_KEY, 'reports'], () => api.GET('/reports/subscriptions', { params: { query: ALL } }));

export const useSites = () =>
  useCall([NOTIFY_KEY, 'sites'], () => api.GET('/sites', { params: { query: ALL } }));

export const channelName = ({ name, address }: Channel): string => name ?? address;
