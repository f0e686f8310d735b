import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useAction, useList } from '../api/query.ts';
import { Time } from '../kit/age.tsx';
import { Button, LinkButton } from '../kit/button.tsx';
import { bytes } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { FormFailure } from '../kit/states.tsx';
import { Tile } from '../kit/tile.tsx';
import { localeNow, useText } from '../text/text.ts';
import { JobCard } from './job-card.tsx';
import { isOpen, refreshMs } from './jobs.ts';
import { Jobs } from './jobs-list.tsx';
import styles from './privacy.module.css';
import { type CheckedRange, checkRange, lastDays, type Range, type RangeForm } from './range.ts';
import { RangeFields } from './range-fields.tsx';

type Export = Resource<'Export'>;

/** Exports: asks for one, shows progress, offers the file. */
export function Exports() {
  const t = useText('privacy').export;
  const [form, setForm] = useState<RangeForm>(() => ({
    ...lastDays(new Date(serverNow()), 7),
    deviceIds: null,
  }));
  const [checked, setChecked] = useState<CheckedRange | null>(null);
  const list = useList(
    ['privacy', 'exports'],
    (page) => api.GET('/privacy/exports', { params: { query: { page, limit: 10 } } }),
    { refetchInterval: refreshMs },
  );
  const create = useAction((body: Range) => api.POST('/privacy/exports', { body }), {
    changes: [['privacy', 'exports']],
  });
  const submit = () => {
    const result = checkRange(form, new Date(serverNow()));
    setChecked(result);
    if ('range' in result) create.mutate(result.range);
  };
  return (
    <Section title={t.title}>
      <Tile>
        <p className={`note ${styles.hint}`}>{t.hint}</p>
        <RangeFields form={form} onChange={setForm} checked={checked} error={create.error} />
        <FormFailure error={create.error} />
        <Button kind="main" icon="download" isBusy={create.isPending} onClick={submit}>
          {t.start}
        </Button>
      </Tile>
      <Jobs list={list} words={t}>
        {(job) => <ExportCard job={job} />}
      </Jobs>
    </Section>
  );
}

function ExportCard({ job }: { readonly job: Export }) {
  const t = useText('privacy').export;
  const remove = useAction(
    (id: string) => api.DELETE('/privacy/exports/{id}', { params: { path: { id } } }),
    { changes: [['privacy', 'exports']] },
  );
  const { id, file, status } = job;
  return (
    <JobCard job={job}>
      {file && (
        <p className={`note ${styles.hint}`}>
          {bytes(file.sizeBytes, localeNow())} · {t.keptUntil} <Time at={file.expiresAt} />
        </p>
      )}
      {status === 'completed' && file === null && <p className={`note ${styles.hint}`}>{t.gone}</p>}
      <FormFailure error={remove.error} />
      <div className="buttons">
        {file && (
          <LinkButton kind="main" icon="download" href={`api/v1/privacy/exports/${id}/file`} download>
            {t.download}
          </LinkButton>
        )}
        {(file !== null || isOpen(job)) && (
          <Button isBusy={remove.isPending} onClick={() => remove.mutate(id)}>
            {file ? t.remove : t.cancel}
          </Button>
        )}
      </div>
    </JobCard>
  );
}
