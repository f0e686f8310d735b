import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../api/error-text.ts';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { Section } from '../kit/page.tsx';
import { Tile } from '../kit/tile.tsx';
import { useText } from '../text/text.ts';
import {
  browserSupport,
  isSubscribed,
  ownChannelId,
  PushRefused,
  switchOff,
  switchOn,
} from './browser-push.ts';
import { type Channel, NOTIFY_KEY } from './use-notify.ts';

/** Messages to this very browser: switches them on, or says what is in the way. */
export function PushCard({ channels }: { readonly channels: readonly Channel[] }) {
  const t = useText('notify');
  const client = useQueryClient();
  const own = ownChannelId();
  const subscribed = useQuery({ queryKey: [NOTIFY_KEY, 'here', own], queryFn: isSubscribed });
  const refresh = () => client.invalidateQueries({ queryKey: [NOTIFY_KEY] });
  const turn = useMutation({
    mutationFn: (isOn: boolean) => (isOn ? switchOn() : switchOff()),
    onSettled: refresh,
  });
  const channel = channels.find(({ id }) => id === own);
  const isOn = channel?.status === 'enabled' && subscribed.data === true;
  const wasLost = own !== null && subscribed.data === false;
  const support = isOn ? 'ready' : browserSupport();
  const { error } = turn;
  return (
    <Section title={t.thisBrowser}>
      <Tile>
        <p className="row">
          {isOn && <Chip tone="good">{t.states.enabled}</Chip>}
          <span>{isOn ? t.push.on : t.push[support]}</span>
        </p>
        {wasLost && support === 'ready' && <p>{t.push.lost}</p>}
        {error && (
          <p role="alert" className="fault">
            {error instanceof PushRefused
              ? error.message === 'denied'
                ? t.push.denied
                : t.push.failed
              : errorText(error)}
          </p>
        )}
        {support === 'ready' && (
          <div>
            <Button
              kind={isOn ? 'normal' : 'main'}
              isBusy={turn.isPending}
              onClick={() => turn.mutate(!isOn)}
            >
              {isOn ? t.push.switchOff : t.push.switchOn}
            </Button>
          </div>
        )}
      </Tile>
    </Section>
  );
}
