import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useAction, useList } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { Section } from '../kit/page.tsx';
import { FormFailure } from '../kit/states.tsx';
import { Tile } from '../kit/tile.tsx';
import { useText } from '../text/text.ts';
import { ConfirmErasure } from './confirm-erasure.tsx';
import { JobCard } from './job-card.tsx';
import { refreshMs } from './jobs.ts';
import { Jobs } from './jobs-list.tsx';
import styles from './privacy.module.css';
import { type CheckedRange, checkRange, type Range, type RangeForm } from './range.ts';
import { RangeFields } from './range-fields.tsx';

const NOTHING: RangeForm = { from: '', to: '', deviceIds: null };

/** Erasures: asks for one after a word was typed, shows progress. */
export function Erasures() {
  const t = useText('privacy').erasure;
  const [form, setForm] = useState(NOTHING);
  const [checked, setChecked] = useState<CheckedRange | null>(null);
  const [wanted, setWanted] = useState<Range | null>(null);
  const list = useList(
    ['privacy', 'erasures'],
    (page) => api.GET('/privacy/erasures', { params: { query: { page, limit: 10 } } }),
    { refetchInterval: refreshMs },
  );
  const submit = () => {
    const result = checkRange(form, new Date(serverNow()));
    setChecked(result);
    if ('range' in result) setWanted(result.range);
  };
  return (
    <Section title={t.title}>
      <Tile>
        <p className={`note ${styles.hint}`}>{t.hint}</p>
        <RangeFields form={form} onChange={setForm} checked={checked} error={null} />
        <Button kind="danger" icon="trash" onClick={submit}>
          {t.start}
        </Button>
      </Tile>
      <Jobs list={list} words={t}>
        {(job) => <ErasureCard job={job} />}
      </Jobs>
      {wanted && (
        <ConfirmErasure
          range={wanted}
          onClose={() => setWanted(null)}
          onDone={() => {
            setWanted(null);
            setForm(NOTHING);
            setChecked(null);
          }}
        />
      )}
    </Section>
  );
}

function ErasureCard({ job }: { readonly job: Resource<'Erasure'> }) {
  const t = useText('privacy').erasure;
  const cancel = useAction(
    (id: string) => api.DELETE('/privacy/erasures/{id}', { params: { path: { id } } }),
    { changes: [['privacy', 'erasures']] },
  );
  return (
    <JobCard job={job}>
      <FormFailure error={cancel.error} />
      {job.status === 'queued' && (
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
          {t.cancel}
        </Button>
      )}
    </JobCard>
  );
}
