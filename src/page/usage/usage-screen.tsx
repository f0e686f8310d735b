import { serverNow } from '../api/connection.ts';
import { Can } from '../api/session.tsx';
import { useDownload } from '../api/use-download.ts';
import { Button } from '../kit/button.tsx';
import { Page, Section } from '../kit/page.tsx';
import { Forbidden, FormFailure } from '../kit/states.tsx';
import { goTo, usePlaceQuery } from '../shell/place.ts';
import { localeNow, useText } from '../text/text.ts';
import { ByDevice } from './by-device.tsx';
import { Ledger } from './ledger.tsx';
import { Meters } from './meter-tiles.tsx';
import { addMonths, parseMonth } from './meters.ts';
import { Trend } from './trend.tsx';
import { devicesCsv, ledgerCsv } from './usage-calls.ts';
import { monthName } from './usage-words.ts';

/** What the account used in a month; the month stands in the address. */
export default function UsageScreen() {
  const t = useText('usage');
  const present = new Date(serverNow()).toISOString().slice(0, 7);
  const month = parseMonth(new URLSearchParams(usePlaceQuery()).get('month'), present) ?? present;
  const show = (next: string) => goTo(next >= present ? '/usage' : `/usage?month=${next}`);
  const { download, busy, error } = useDownload();
  const [devices, ledger] = [`by-camera-${month}.csv`, `ledger-${month}.csv`];
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <div className="row">
          <Button icon="back" aria-label={t.earlier} onClick={() => show(addMonths(month, -1))} />
          <strong aria-live="polite">{monthName(month, localeNow())}</strong>
          <Button
            icon="forward"
            aria-label={t.later}
            disabled={month === present}
            onClick={() => show(addMonths(month, 1))}
          />
        </div>
      }
    >
      <Can scope="billing:read" otherwise={<Forbidden scope="billing:read" />}>
        <Meters month={month} isRunning={month === present} />
        <Trend month={month} />
        <ByDevice month={month} />
        <Section title={t.download}>
          <div className="row">
            <Button
              icon="download"
              isBusy={busy === devices}
              onClick={() => download(devices, () => devicesCsv(month))}
            >
              {t.downloadDevices}
            </Button>
            <Button
              icon="download"
              isBusy={busy === ledger}
              onClick={() => download(ledger, () => ledgerCsv(month))}
            >
              {t.downloadLedger}
            </Button>
          </div>
          <FormFailure error={error} />
          <p className="note">{t.utc}</p>
        </Section>
        <Ledger month={month} />
      </Can>
    </Page>
  );
}
