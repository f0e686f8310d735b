import { useDownload } from '../api/use-download.ts';
import { Button } from '../kit/button.tsx';
import { FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import { seriesCsv, visitsCsv } from './history-calls.ts';
import type { Shown } from './shown.ts';

/** The numbers and visits of the range for a spreadsheet. */
export function Downloads({ subject, view, range, timezone, bucket }: Shown) {
  const t = useText('history');
  const { download, busy, error } = useDownload();
  const { fromMs, toMs, firstDay, lastDay } = range;
  const days = firstDay === lastDay ? firstDay : `${firstDay}-${lastDay}`;
  const files = {
    numbers: `numbers-${days}.csv`,
    visits: `visits-${days}.csv`,
  };
  return (
    <>
      <Button
        icon="download"
        isBusy={busy === files.numbers}
        onClick={() => download(files.numbers, () => seriesCsv(subject, { fromMs, toMs, bucket, timezone }))}
      >
        {t.downloadSeries}
      </Button>
      <Button
        icon="download"
        isBusy={busy === files.visits}
        onClick={() => download(files.visits, () => visitsCsv(subject, range, view.outcome))}
      >
        {t.downloadVisits}
      </Button>
      <FormFailure error={error} />
    </>
  );
}
