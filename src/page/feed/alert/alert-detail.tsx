import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { placeName } from '../../../catalogue/words/place-name.ts';
import { ApiFailure, api, type Resource } from '../../api/client.ts';
import { useAction, useCall } from '../../api/query.ts';
import { Can } from '../../api/session.tsx';
import { Time } from '../../kit/age.tsx';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Chip } from '../../kit/chip.tsx';
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { Async, Empty, Skeleton } from '../../kit/states.tsx';
import { useAlertSentence } from '../../kit/words/alert-words.ts';
import { goTo } from '../../shell/place.ts';
import { useText } from '../../text/text.ts';
import styles from '../feed.module.css';
import { SEVERITY_TONES } from '../tones.ts';
import { FEED_KEY, useMarkSeen } from '../use-feed.ts';
import { useFeedUpdates } from '../use-feed-updates.ts';
import { usePlaces } from '../use-places.ts';
import { Description } from './description.tsx';
import { Persons } from './persons.tsx';
import { AlertPictures } from './picture.tsx';

type AlertEvent = Resource<'AlertEvent'>;

/** An id of another form is that of no alert. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One alert with everything that is known about it. */
export function AlertDetail({ id, backTo }: { readonly id: string; readonly backTo: string }) {
  const t = useText('feed');
  const query = useCall(
    [FEED_KEY, 'alert', id],
    () => api.GET('/analysis/alerts/{id}', { params: { path: { id }, query: { withInsight: true } } }),
    { enabled: ID.test(id) },
  );
  useFeedUpdates();
  const isGone = !ID.test(id) || (query.error instanceof ApiFailure && query.error.status === 404);
  if (isGone) {
    return (
      <Page title={t.title} backTo={backTo}>
        <Empty icon="off" title={t.goneTitle} action={<LinkButton href="#/feed">{t.toFeed}</LinkButton>}>
          {t.goneHint}
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title={query.data?.rule.name ?? t.title}
      backTo={backTo}
      actions={query.data && <Actions alert={query.data} />}
    >
      <Async query={query} skeleton={<Skeleton lines={5} />}>
        {(alert) => <Parts alert={alert} />}
      </Async>
    </Page>
  );
}

function Parts({ alert }: { readonly alert: AlertEvent }) {
  const t = useText('feed');
  const say = useAlertSentence();
  const timezone = usePlaces().zoneOf(alert.deviceId);
  const place = placeName(alert.device.name, alert.scene.name);
  const { insight = null, acknowledgedAt, acknowledgedBy } = alert;
  return (
    <div className="columns">
      <div>
        <AlertPictures
          urls={alert.snapshotUrls}
          awaitsImages={alert.awaitsImages ?? false}
          what={`${alert.rule.name}, ${place}`}
        />
      </div>
      <div className={`stack ${styles.detailFacts}`}>
        <p className={`row ${styles.headline}`}>
          <Chip tone={SEVERITY_TONES[alert.severity]}>{t.severity[alert.severity]}</Chip>
          <span>{say(place, alert)}</span>
        </p>
        <dl className="details">
          <dt>{t.when}</dt>
          <dd>
            <Time at={alert.triggeredAt} timezone={timezone} />
          </dd>
          <dt>{t.where}</dt>
          <dd>
            <a href={`#/scenes/${alert.sceneId}`}>{place}</a>
          </dd>
          {acknowledgedAt !== null && (
            <>
              <dt>{t.seen}</dt>
              <dd>
                {t.seenBy(acknowledgedBy?.name ?? t.someone)},{' '}
                <Time at={acknowledgedAt} timezone={timezone} />
              </dd>
            </>
          )}
        </dl>
        {insight && <Description insightId={insight.id} status={insight.vlmStatus} />}
      </div>
      {insight && (
        <div className={styles.detailPersons}>
          <Section title={t.whoWasSeen}>
            <Persons
              insightId={insight.id}
              deviceId={alert.deviceId}
              at={alert.triggeredAt}
              timezone={timezone}
            />
          </Section>
        </div>
      )}
    </div>
  );
}

function Actions({ alert }: { readonly alert: AlertEvent }) {
  const t = useText('feed');
  const mark = useMarkSeen();
  const [isAsked, setAsked] = useState(false);
  const isSeen = alert.acknowledgedAt !== null;
  return (
    <Can scope="alert:write">
      <Button
        kind={isSeen ? 'normal' : 'main'}
        icon="check"
        isBusy={mark.isPending}
        onClick={() => mark.mutate({ id: alert.id, acknowledged: !isSeen })}
      >
        {isSeen ? t.markUnseen : t.markSeen}
      </Button>
      <Button kind="quiet" icon="trash" aria-label={t.remove} onClick={() => setAsked(true)} />
      {isAsked && <RemoveDialog id={alert.id} onClose={() => setAsked(false)} />}
    </Can>
  );
}

function RemoveDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useText('feed');
  const client = useQueryClient();
  const remove = useAction(() => api.DELETE('/analysis/alerts/{id}', { params: { path: { id } } }), {
    onDone: () => {
      goTo('/feed');
      // Not while it is still shown.
      setTimeout(() => client.removeQueries({ queryKey: [FEED_KEY, 'alert', id] }));
      void client.invalidateQueries({ queryKey: [FEED_KEY, 'alerts'] });
      void client.invalidateQueries({ queryKey: [FEED_KEY, 'search'] });
    },
  });
  return (
    <ConfirmDialog title={t.removeTitle} confirm={t.remove} action={remove} onClose={onClose}>
      <p>{t.removeHint}</p>
    </ConfirmDialog>
  );
}
