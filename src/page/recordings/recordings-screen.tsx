import { useState } from 'react';
import { useParams } from 'wouter';
import { api, type Resource } from '../api/client.ts';
import { useList } from '../api/query.ts';
import { Can, useSession } from '../api/session.tsx';
import { useStore } from '../api/store.ts';
import { Time } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import { bytes, duration } from '../kit/numbers.ts';
import { Page, Section } from '../kit/page.tsx';
import { Empty, Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { Tile, TileGrid } from '../kit/tile.tsx';
import { localeNow, useText } from '../text/text.ts';
import { ChooseFile } from './choose-file.tsx';
import { Progress } from './progress.tsx';
import { isUnderWay, TONES } from './recording-state.ts';
import { RecordingView } from './recording-view.tsx';
import styles from './recordings.module.css';
import { upload } from './upload.ts';
import { UploadForm } from './upload-form.tsx';
import { UploadView } from './upload-view.tsx';

type Recording = Resource<'Recording'>;

export default function RecordingsScreen() {
  const id = useParams()['*']?.split('/')[0] ?? '';
  return id === '' ? <Recordings /> : <RecordingView key={id} id={id} />;
}

function Recordings() {
  const t = useText('recordings');
  const session = useSession();
  const isBusy = useStore(upload).kind === 'sending';
  const list = useList(
    ['recordings'],
    (page) => api.GET('/recordings', { params: { query: { page, limit: 24 } } }),
    { refetchInterval: 5_000 },
  );
  const mayAdd = session.may('device:write');
  return (
    <Page title={t.title} lead={t.lead}>
      <UploadView />
      <Can scope="device:write">{!isBusy && <Add />}</Can>
      {list.isPending && <Skeleton lines={3} />}
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.items.length === 0 && (
        <Empty title={t.emptyTitle} icon="recordings">
          {mayAdd ? t.emptyText : t.emptyViewer}
        </Empty>
      )}
      {list.items.length > 0 && (
        <Section title={t.list}>
          <TileGrid>
            {list.items.map((recording) => (
              <RecordingTile key={recording.id} recording={recording} />
            ))}
          </TileGrid>
          <MoreButton list={list} />
        </Section>
      )}
    </Page>
  );
}

function Add() {
  const t = useText('recordings');
  const [file, setFile] = useState<File | null>(null);
  if (!file) return <ChooseFile onChoose={setFile} />;
  return (
    <Section title={t.add}>
      <UploadForm key={`${file.name} ${file.lastModified}`} file={file} onEnd={() => setFile(null)} />
    </Section>
  );
}

function RecordingTile({ recording }: { readonly recording: Recording }) {
  const t = useText('recordings');
  const locale = localeNow();
  const { id, name, analysis } = recording;
  return (
    <Tile to={`/recordings/${id}`}>
      <img
        className={styles.thumbnail}
        src={`api/v1/recordings/${id}/frame?width=320`}
        alt=""
        loading="lazy"
        decoding="async"
      />
      <div>
        <p className={styles.name}>{name}</p>
        <p className="note">
          <Time at={recording.recordedAt} timezone={recording.timezone} />
        </p>
        <p className="note">
          {duration(recording.durationSeconds, locale)} · {bytes(recording.sizeBytes, locale)}
        </p>
      </div>
      {isUnderWay(recording) ? (
        <Progress percent={analysis.progressPercent} label={t.progress} />
      ) : (
        <p>
          <Chip tone={TONES[analysis.status]}>{t.status[analysis.status]}</Chip>
        </p>
      )}
    </Tile>
  );
}
