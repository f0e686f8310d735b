import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { ReportPreview } from '../history/report-preview.tsx';
import { Time } from '../kit/age.tsx';
import { Button, LinkButton } from '../kit/button.tsx';
import { Section } from '../kit/page.tsx';
import { Async, Empty, FormFailure } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './notify.module.css';
import { ReportForm } from './report-form.tsx';
import {
  type Channel,
  channelName,
  NOTIFY_KEY,
  type ReportSubscription,
  useChannels,
  useReports,
  useSites,
} from './use-notify.ts';
import { weekdayNames } from './weekdays.ts';

type Site = NonNullable<ReturnType<typeof useSites>['data']>[number];

/** Reports of sites by e-mail. */
export function Reports() {
  const t = useText('notify');
  const [reports, sites, channels] = [useReports(), useSites(), useChannels()];
  const [opened, setOpened] = useState<ReportSubscription | 'new' | null>(null);
  const emails = channels.data?.filter(({ kind, status }) => kind === 'email' && status === 'enabled') ?? [];
  const canAdd = emails.length > 0 && (sites.data?.length ?? 0) > 0;
  return (
    <Section
      title={t.reports}
      actions={
        canAdd && (
          <Button icon="plus" onClick={() => setOpened('new')}>
            {t.addReport}
          </Button>
        )
      }
    >
      <p className="note">{t.reportsHint}</p>
      <Async query={sites}>
        {(known) => (
          <Async query={reports}>
            {(list) => {
              if (list.length > 0) {
                return (
                  <ul className="cards">
                    {list.map((report) => (
                      <Card
                        key={report.id}
                        report={report}
                        site={known.find(({ id }) => id === report.siteId)}
                        channels={channels.data ?? []}
                        onOpen={() => setOpened(report)}
                      />
                    ))}
                  </ul>
                );
              }
              const missing =
                known.length === 0 ? t.noSites : emails.length === 0 ? t.noEmails : t.noReportsHint;
              return (
                <Empty
                  icon="history"
                  title={t.noReports}
                  action={known.length === 0 && <LinkButton href="#/cameras/sites">{t.toSites}</LinkButton>}
                >
                  {missing}
                </Empty>
              );
            }}
          </Async>
        )}
      </Async>
      {opened !== null && (
        <ReportForm
          report={opened === 'new' ? undefined : opened}
          sites={sites.data ?? []}
          emails={emails}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

interface CardProps {
  readonly report: ReportSubscription;
  readonly site: Site | undefined;
  readonly channels: readonly Channel[];
  readonly onOpen: () => void;
}

function Card({ report, site, channels, onOpen }: CardProps) {
  const t = useText('notify');
  const { id, siteId, period, localTime, weekday, channelIds, lastReport } = report;
  const send = useAction(() => api.POST('/reports/subscriptions/{id}/test', { params: { path: { id } } }), {
    changes: [[NOTIFY_KEY, 'deliveries']],
  });
  const [isPreviewed, setPreviewed] = useState(false);
  const day = weekdayNames(localeNow(), 'long')[(weekday ?? 1) - 1] ?? '';
  const receivers = channels.filter((channel) => channelIds.includes(channel.id)).map(channelName);
  return (
    <li className={`card ${styles.card}`}>
      <strong>
        {site?.name ?? '–'}: {period === 'day' ? t.daily(localTime) : t.weekly(day, localTime)}
      </strong>
      <p className="note">→ {receivers.join(', ') || '–'}</p>
      <p className="note">
        {t.nextAt}: <Time at={report.nextDueAt} timezone={site?.timezone} style="dayTime" />
        {lastReport?.status === 'sent' && ` · ${t.lastSent(lastReport.date)}`}
      </p>
      {lastReport && lastReport.status !== 'sent' && (
        <p className="fault">
          {(lastReport.status === 'failed' ? t.lastFailed : t.lastSkipped)(lastReport.date)}{' '}
          {lastReport.reason}
        </p>
      )}
      {send.isSuccess && <p role="status">{t.sentNow}</p>}
      <FormFailure error={send.error} />
      <div className="row">
        <Button kind="quiet" onClick={() => setPreviewed(true)}>
          {t.preview}
        </Button>
        <Button isBusy={send.isPending} onClick={() => send.mutate(undefined)}>
          {t.sendNow}
        </Button>
        <Button kind="quiet" icon="edit" aria-label={t.report} onClick={onOpen} />
      </div>
      {isPreviewed && <ReportPreview siteId={siteId} period={period} onClose={() => setPreviewed(false)} />}
    </li>
  );
}
