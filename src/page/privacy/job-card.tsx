import type { ReactNode } from 'react';
import { Age, Time } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import { count } from '../kit/numbers.ts';
import { Tile, type Tone } from '../kit/tile.tsx';
import { localeNow, useText } from '../text/text.ts';
import { type DataJob, isOpen, rowsOf } from './jobs.ts';
import styles from './privacy.module.css';

const TONES: Readonly<Record<DataJob['status'], Tone>> = {
  queued: 'info',
  running: 'info',
  completed: 'good',
  failed: 'bad',
  cancelled: 'off',
};

/** An export or erasure: its range, state and progress. */
export function JobCard({ job, children }: { readonly job: DataJob; readonly children: ReactNode }) {
  const t = useText('privacy').job;
  const rows = rowsOf(job);
  return (
    <Tile>
      <div className="spread">
        <p className={styles.span}>
          <Time at={job.from} /> – <Time at={job.to} />
        </p>
        <Chip tone={TONES[job.status]}>{t.status[job.status]}</Chip>
      </div>
      <p className={`note ${styles.hint}`}>
        {t.devices(job.deviceIds.length)}
        {rows > 0 && ` · ${t.rows(count(rows, localeNow()))}`} · <Age since={job.createdAt} />
      </p>
      {isOpen(job) && (
        <div className={styles.progress}>
          <progress value={job.progressPercent} max={100} aria-label={t.progressLabel} />
          <span>{t.progress(job.progressPercent)}</span>
        </div>
      )}
      {job.error !== null && (
        <p className="fault">
          {job.status === 'queued' && `${t.triedAgain} `}
          {job.error}
        </p>
      )}
      {children}
    </Tile>
  );
}
