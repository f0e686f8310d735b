import type { Resource } from '../api/client.ts';
import { useList } from '../api/query.ts';
import { percent } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { localeNow, useText } from '../text/text.ts';
import { FEATURES, REPORT_NAMES } from './meters.ts';
import { listDevices } from './usage-calls.ts';
import { amount } from './usage-words.ts';

type DeviceShare = Resource<'DeviceShare'>;

/** What each camera and recording used, the largest first. */
export function ByDevice({ month }: { readonly month: string }) {
  const t = useText('usage');
  const locale = localeNow();
  const devices = useList(['billing', 'by-device', month], (page) => listDevices(month, page));
  const columns: Column<DeviceShare>[] = [
    {
      id: 'device',
      title: t.device,
      isHeading: true,
      cell: ({ deviceName, deviceType }) =>
        deviceType === 'recording' ? `${deviceName} (${t.recording})` : deviceName,
    },
    ...FEATURES.map((feature) => ({
      id: feature,
      title: t.features[feature],
      isNumber: true,
      cell: (row: DeviceShare) => amount(feature, row[REPORT_NAMES[feature]], locale),
    })),
    {
      id: 'share',
      title: t.share,
      isNumber: true,
      cell: (row) => percent(row.percentage === null ? null : row.percentage / 100, locale, 1),
    },
  ];
  return (
    <Section title={t.byDevice}>
      {devices.error && <Failure error={devices.error} onRetry={() => void devices.refetch()} />}
      {devices.isPending && !devices.error && <Skeleton />}
      {devices.total === 0 && <p className="note">{t.noDevices}</p>}
      {devices.items.length > 0 && (
        <Table caption={t.byDevice} columns={columns} rows={devices.items} keyOf={(row) => row.deviceId} />
      )}
      <MoreButton list={devices} />
    </Section>
  );
}
