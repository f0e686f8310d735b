import type { Resource } from '../../client/client.ts';

type Subscription = Resource<'NotificationSubscription'>;

/** A rule, as far as subscriptions look at it; without an id one that is not saved yet. */
export interface Watched {
  readonly id: string | undefined;
  readonly deviceId: string | undefined;
  readonly siteIds: readonly string[];
  readonly severity: 'warning' | 'critical';
}

/** Whether a subscription exists for this rule alone. */
const isOwn = ({ ruleIds }: Subscription, id: string | undefined): boolean =>
  id !== undefined && ruleIds.length === 1 && ruleIds[0] === id;

/** Whether the alerts of a rule are told by a subscription. */
function tells(subscription: Subscription, { id, deviceId, siteIds, severity }: Watched): boolean {
  const { isEnabled, kinds, severities, ruleIds, deviceIds, siteIds: ofSites } = subscription;
  const isEverywhere = deviceIds.length === 0 && ofSites.length === 0;
  return (
    isEnabled &&
    kinds.includes('alert_triggered') &&
    (severities.length === 0 || severities.includes(severity)) &&
    (ruleIds.length === 0 || (id !== undefined && ruleIds.includes(id))) &&
    (isEverywhere ||
      (deviceId !== undefined && deviceIds.includes(deviceId)) ||
      ofSites.some((site) => siteIds.includes(site)))
  );
}

/** Over which channels a rule is told: because of itself alone, or because they tell more than this rule. */
export function channelsOf(subscriptions: readonly Subscription[], rule: Watched) {
  const telling = subscriptions.filter((subscription) => tells(subscription, rule));
  return {
    own: telling.filter((subscription) => isOwn(subscription, rule.id)),
    wide: new Set(
      telling.filter((subscription) => !isOwn(subscription, rule.id)).map(({ channelId }) => channelId),
    ),
  };
}
