import { useState } from 'react';
import { answerOf } from '../../client/client.ts';
import { saveBlob } from '../api/save-file.ts';
import { Button } from '../kit/button.tsx';
import { FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import styles from './history.module.css';
import { seriesCsv, visitsCsv } from './history-calls.ts';
import type { Shown } from './shown.ts';

/** The numbers and visits of the range for a spreadsheet. */
export function Downloads({ subject, view, range, timezone, bucket }: Shown) {
  const t = useText('history');
  const [busy, setBusy] = useState<'series' | 'visits' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { fromMs, toMs } = range;
  const calls = {
    series: () => seriesCsv(subject, { fromMs, toMs, bucket, timezone }),
    visits: () => visitsCsv(subject, range, view.outcome),
  };
  const download = async (what: keyof typeof calls) => {
    setBusy(what);
    setError(null);
    try {
      // The types know the JSON of the call; asked for text/csv, it is a file.
      const file = (await answerOf(calls[what]() as Promise<{ response: Response }>)) as unknown as Blob;
      saveBlob(file, `${what}-${range.firstDay}-${range.lastDay}.csv`);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };
  return (
    <>
      <div className={styles.row}>
        <Button icon="download" isBusy={busy === 'series'} onClick={() => void download('series')}>
          {t.downloadSeries}
        </Button>
        <Button icon="download" isBusy={busy === 'visits'} onClick={() => void download('visits')}>
          {t.downloadVisits}
        </Button>
      </div>
      <FormFailure error={error} />
    </>
  );
}
