import { useState } from 'react';
import { ApiFailure, api, type Resource } from '../api/client.ts';
import { useAction, useCall } from '../api/query.ts';
import { Can, useSession } from '../api/session.tsx';
import { Time } from '../kit/age.tsx';
import { Button, LinkButton } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { bytes, duration, number, percent } from '../kit/numbers.ts';
import { Page, Section } from '../kit/page.tsx';
import { Empty, Failure, FormFailure, Skeleton } from '../kit/states.tsx';
import { goTo } from '../shell/place.ts';
import { localeNow, useText } from '../text/text.ts';
import { ChangeRecording } from './change-recording.tsx';
import { Progress } from './progress.tsx';
import { isUnderWay, TONES } from './recording-state.ts';
import styles from './recordings.module.css';
import { StartForm } from './start-form.tsx';
import { Warnings } from './warnings.tsx';

type Recording = Resource<'Recording'>;

const POLL_MS = 2_000;

/** One recording: draw zones and start, watch, then see what was found. */
export function RecordingView({ id }: { readonly id: string }) {
  const t = useText('recordings');
  const path = { id };
  const query = useCall(['recordings', 'one', id], () => api.GET('/recordings/{id}', { params: { path } }), {
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  });
  const { data: recording, error } = query;
  if (recording) {
    return (
      <Page
        title={recording.name}
        backTo="/recordings"
        lead={
          <>
            <Chip tone={TONES[recording.analysis.status]}>{t.status[recording.analysis.status]}</Chip>{' '}
            <Time at={recording.recordedAt} timezone={recording.timezone} />
          </>
        }
        actions={<Actions recording={recording} />}
      >
        {error && <Failure error={error} onRetry={() => void query.refetch()} />}
        <Warnings recording={recording} />
        <Analysis recording={recording} />
        <Facts recording={recording} />
      </Page>
    );
  }
  const isAbsent = error instanceof ApiFailure && [400, 404].includes(error.status);
  return (
    <Page title={t.title} backTo="/recordings">
      {isAbsent ? (
        <Empty
          title={t.notFoundTitle}
          icon="recordings"
          action={<LinkButton href="#/recordings">{t.list}</LinkButton>}
        >
          {t.notFoundText}
        </Empty>
      ) : error ? (
        <Failure error={error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Page>
  );
}

function Analysis({ recording }: { readonly recording: Recording }) {
  const t = useText('recordings');
  const session = useSession();
  const [isAgain, setIsAgain] = useState(false);
  const { analysis } = recording;
  if (isUnderWay(recording)) return <UnderWay recording={recording} />;
  const hasNumbers = analysis.status === 'completed' || (analysis.positionSeconds ?? 0) > 0;
  const mayStart = session.may('analysis:control');
  const isFirst = analysis.status === 'none';
  return (
    <>
      {!isFirst && (
        <div className="notice stack" data-tone={TONES[analysis.status]}>
          <p>
            <strong>{t[analysis.status as 'completed' | 'cancelled' | 'failed']}</strong> {analysis.error}
          </p>
          {hasNumbers && <Links recording={recording} />}
        </div>
      )}
      {(isFirst || isAgain) && mayStart && <StartForm key={analysis.taskId} recording={recording} />}
      {(isFirst || isAgain) && !mayStart && <FirstPicture recording={recording} />}
      {!isFirst && !isAgain && (
        <>
          <FirstPicture recording={recording} />
          {mayStart && (
            <div className="buttons">
              <Button icon="play" onClick={() => setIsAgain(true)}>
                {t.again}
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}

function Links({ recording: { sceneId } }: { readonly recording: Recording }) {
  const t = useText('recordings');
  return (
    <div className="buttons">
      <LinkButton kind="main" href={`#/scenes/${sceneId}`} icon="now">
        {t.openScene}
      </LinkButton>
      <LinkButton href={`#/scenes/${sceneId}?tab=floor`} icon="people">
        {t.openFloor}
      </LinkButton>
      <LinkButton href={`#/history/scenes/${sceneId}`} icon="history">
        {t.openHistory}
      </LinkButton>
    </div>
  );
}

function FirstPicture({ recording }: { readonly recording: Recording }) {
  const t = useText('recordings');
  return (
    <img
      className={styles.picture}
      style={{ aspectRatio: recording.width / recording.height }}
      src={`api/v1/recordings/${recording.id}/frame?width=960#${recording.rotation}-${recording.videoTrack}`}
      alt={t.firstPicture}
    />
  );
}

function UnderWay({ recording }: { readonly recording: Recording }) {
  const t = useText('recordings');
  const locale = localeNow();
  const { id, analysis } = recording;
  const cancel = useAction(() => api.DELETE('/recordings/{id}/analysis', { params: { path: { id } } }), {
    changes: [['recordings']],
  });
  const { progressPercent, secondsPerSecond, etaSeconds } = analysis;
  return (
    <Section title={t.progress}>
      <Progress percent={progressPercent} label={t.progress} />
      <p aria-live="polite" className="note">
        {analysis.status === 'queued' ? (
          t.queued
        ) : (
          <>
            {t.running(percent((progressPercent ?? 0) / 100, locale))}
            {secondsPerSecond !== null && ` · ${t.speedOf(number(secondsPerSecond, locale))}`}
            {etaSeconds !== null && ` · ${t.eta(duration(etaSeconds, locale))}`}
          </>
        )}
      </p>
      <FormFailure error={cancel.error} />
      <div className="buttons">
        {(analysis.positionSeconds ?? 0) > 0 && (
          <LinkButton href={`#/scenes/${recording.sceneId}`} icon="now">
            {t.openScene}
          </LinkButton>
        )}
        <Can scope="analysis:control">
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            {t.cancelAnalysis}
          </Button>
        </Can>
      </div>
      <FirstPicture recording={recording} />
    </Section>
  );
}

function Facts({ recording }: { readonly recording: Recording }) {
  const t = useText('recordings');
  const locale = localeNow();
  const { durationSeconds, sizeBytes, width, height, format, codec } = recording;
  return (
    <Section title={t.details}>
      <dl className="facts">
        <Pair name={t.length} value={duration(durationSeconds, locale)} />
        <Pair name={t.size} value={bytes(sizeBytes, locale)} />
        <Pair name={t.picture} value={t.pictureSize(width, height)} />
        <Pair name={t.file} value={`${format.toUpperCase()}, ${codec}`} />
      </dl>
    </Section>
  );
}

const Pair = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function Actions({ recording }: { readonly recording: Recording }) {
  const t = useText('recordings');
  const [asked, setAsked] = useState<'change' | 'remove' | null>(null);
  const close = () => setAsked(null);
  return (
    <Can scope="device:write">
      <Button icon="edit" onClick={() => setAsked('change')}>
        {t.change}
      </Button>
      <Button kind="danger" icon="trash" onClick={() => setAsked('remove')}>
        {t.remove}
      </Button>
      {asked === 'change' && <ChangeRecording recording={recording} onClose={close} />}
      {asked === 'remove' && <RemoveRecording id={recording.id} onClose={close} />}
    </Can>
  );
}

function RemoveRecording({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useText('recordings');
  const remove = useAction(() => api.DELETE('/recordings/{id}', { params: { path: { id } } }), {
    onDone: () => {
      onClose();
      goTo('/recordings', { replace: true });
    },
  });
  return (
    <ConfirmDialog title={t.removeTitle} confirm={t.remove} action={remove} onClose={onClose}>
      <p>{t.removeText}</p>
    </ConfirmDialog>
  );
}
