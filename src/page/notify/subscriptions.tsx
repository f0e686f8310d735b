import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { count, duration } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Async, Empty } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './notify.module.css';
import { reachOf } from './reach.ts';
import { SubscriptionForm } from './subscription-form.tsx';
import { type Channel, channelName, type Subscription, useSubscriptions } from './use-notify.ts';
import { daysInWords } from './weekdays.ts';

/** What is told over which channel. */
export function Subscriptions({ channels }: { readonly channels: readonly Channel[] }) {
  const t = useText('notify');
  const query = useSubscriptions();
  const [opened, setOpened] = useState<Subscription | 'new' | null>(null);
  return (
    <Section
      title={t.subscriptions}
      actions={
        channels.length > 0 && (
          <Button icon="plus" onClick={() => setOpened('new')}>
            {t.addSubscription}
          </Button>
        )
      }
    >
      <Async query={query}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <Empty icon="rules" title={t.noSubscriptions}>
              {t.noSubscriptionsHint}
            </Empty>
          ) : (
            <ul className="cards">
              {subscriptions.map((each) => (
                <Card
                  key={each.id}
                  subscription={each}
                  channel={channels.find(({ id }) => id === each.channelId)}
                  onOpen={() => setOpened(each)}
                />
              ))}
            </ul>
          )
        }
      </Async>
      {opened !== null && (
        <SubscriptionForm
          subscription={opened === 'new' ? undefined : opened}
          channels={channels}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

interface CardProps {
  readonly subscription: Subscription;
  readonly channel: Channel | undefined;
  readonly onOpen: () => void;
}

function Card({ subscription, channel, onOpen }: CardProps) {
  const t = useText('notify');
  const names = useText('schedule').days;
  const locale = localeNow();
  const { kinds, severities, ruleIds, deviceIds, siteIds, quietHours, minDistanceSeconds, isEnabled } =
    subscription;
  const reach = reachOf(subscription);
  const ids = reach === 'sites' ? siteIds : deviceIds;
  const facts = [
    severities.length > 0 && severities.map((each) => t.severity[each]).join(', '),
    reach !== 'all' && t.of(t.reaches[reach], count(ids.length, locale)),
    ruleIds.length > 0 && t.of(t.rules, count(ruleIds.length, locale)),
    quietHours &&
      t.quietAt(
        quietHours.windows
          .map(({ days, start, end }) => `${daysInWords(days, names)} ${start}–${end}`)
          .join('; '),
      ),
    minDistanceSeconds > 0 && t.of(t.distance, duration(minDistanceSeconds, locale)),
  ].filter(Boolean);
  return (
    <li>
      <button
        type="button"
        className={`card ${styles.cardButton}`}
        data-off={!isEnabled || undefined}
        onClick={onOpen}
      >
        <span className="row">
          <strong className={styles.grow}>
            {subscription.name ?? kinds.map((kind) => t.eventKinds[kind]).join(', ')}
          </strong>
          {!isEnabled && <Chip tone="off">{t.isOff}</Chip>}
        </span>
        <span className="note">→ {channel ? channelName(channel) : '–'}</span>
        {facts.length > 0 && <span className="note">{facts.join(' · ')}</span>}
      </button>
    </li>
  );
}
