import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../client/client.ts';
import { api, type Resource } from '../api/client.ts';
import { useAction, useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Checkbox } from '../kit/form/checkbox.tsx';
import { FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import styles from './rules.module.css';

type Channel = Resource<'NotificationChannel'>;
type Subscription = Resource<'NotificationSubscription'>;
const ALL = { limit: 100 } as const;

const useChannels = (isEnabled: boolean) =>
  useCall(
    ['notifications', 'channels'],
    () => api.GET('/notifications/channels', { params: { query: ALL } }),
    {
      enabled: isEnabled,
    },
  );

const useSubscriptions = (isEnabled: boolean) =>
  useCall(
    ['notifications', 'subscriptions'],
    () => api.GET('/notifications/subscriptions', { params: { query: ALL } }),
    { enabled: isEnabled },
  );

/** Channels and what is told over them; empty for sessions that may not see them. */
export function useTold() {
  const mayRead = useSession().may('alert:write');
  const channels = useChannels(mayRead).data?.filter(({ status }) => status === 'enabled');
  const subscriptions = useSubscriptions(mayRead).data;
  // A channel that is ticked before its subscriptions are known would take the place of others.
  return channels && subscriptions ? { channels, subscriptions } : { channels: [], subscriptions: [] };
}

export const nameOfChannel = ({ name, address }: Channel): string => name ?? address;

interface Telling {
  readonly ruleId: string;
  /** Subscriptions for this rule alone. */
  readonly own: readonly Subscription[];
  /** Undefined where nobody has changed it. */
  readonly channelIds: readonly string[] | undefined;
}

/** Makes the subscriptions of a rule what was chosen. */
export function useTelling() {
  const client = useQueryClient();
  return useMutation<void, Error, Telling>({
    mutationFn: async ({ ruleId, own, channelIds }) => {
      if (channelIds === undefined) return;
      for (const { id, channelId } of own) {
        if (channelIds.includes(channelId)) continue;
        await answerOf(api.DELETE('/notifications/subscriptions/{id}', { params: { path: { id } } }));
      }
      for (const channelId of channelIds) {
        if (own.some((subscription) => subscription.channelId === channelId)) continue;
        const body = { channelId, kinds: ['alert_triggered' as const], ruleIds: [ruleId] };
        await answerOf(api.POST('/notifications/subscriptions', { body }));
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  });
}

interface WhoProps {
  readonly channels: readonly Channel[];
  /** Channels that tell of this rule because they tell of more. */
  readonly wide: ReadonlySet<string>;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Who is told: the first words of the sentence of a rule. */
export function Who({ channels, wide, chosen, onChange }: WhoProps) {
  const t = useText('rules');
  const told = channels.filter(({ id }) => wide.has(id) || chosen.includes(id));
  const test = useAction(
    (id: string) => api.POST('/notifications/channels/{id}/test', { params: { path: { id } } }),
    { changes: [['notifications']] },
  );
  if (channels.length === 0) {
    return (
      <p className="note">
        {t.noChannels} <a href="#/notifications">{t.toChannels}</a>
      </p>
    );
  }
  return (
    <fieldset className={`row ${styles.who}`}>
      <legend>{t.tell}</legend>
      {channels.map((channel) =>
        wide.has(channel.id) ? (
          <span key={channel.id} className={styles.always}>
            {nameOfChannel(channel)} <small>({t.toldAnyway})</small>
          </span>
        ) : (
          <Checkbox
            key={channel.id}
            label={nameOfChannel(channel)}
            isOn={chosen.includes(channel.id)}
            onChange={(isOn) =>
              onChange(isOn ? [...chosen, channel.id] : chosen.filter((id) => id !== channel.id))
            }
          />
        ),
      )}
      {told.length > 0 && (
        <Button
          kind="quiet"
          isBusy={test.isPending}
          onClick={() => {
            for (const { id } of told) test.mutate(id);
          }}
        >
          {t.test}
        </Button>
      )}
      {test.isSuccess && <p role="status">{t.testSent}</p>}
      <FormFailure error={test.error} />
    </fieldset>
  );
}
