import { useState } from 'react';
import type { Resource } from '../api/client.ts';
import { useList } from '../api/query.ts';
import { Time } from '../kit/age.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { Section } from '../kit/page.tsx';
import { Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { localeNow, useText } from '../text/text.ts';
import { FeatureOptions } from './feature-options.tsx';
import { FEATURES, type Feature } from './meters.ts';
import styles from './usage.module.css';
import { listLedger } from './usage-calls.ts';
import { amount } from './usage-words.ts';

type Transaction = Resource<'QuotaTransaction'>;

/** Every change of a counter in a month, newest first. */
export function Ledger({ month }: { readonly month: string }) {
  const t = useText('usage');
  const locale = localeNow();
  const [feature, setFeature] = useState<Feature | undefined>(undefined);
  const ledger = useList(['billing', 'ledger', month, feature], (page) => listLedger(month, feature, page));
  const columns: Column<Transaction>[] = [
    {
      id: 'time',
      title: t.time,
      isHeading: true,
      cell: ({ createdAt }) => <Time at={createdAt} timezone="UTC" />,
    },
    { id: 'feature', title: t.feature, cell: ({ featureType }) => t.features[featureType] },
    {
      id: 'source',
      title: t.source,
      cell: ({ source, reason }) => `${t.sources[source] ?? source}${reason ? `: ${reason}` : ''}`,
    },
    {
      id: 'amount',
      title: t.amount,
      isNumber: true,
      cell: (row) => `${row.type === 'debit' ? '−' : '+'}${amount(row.featureType, row.amount, locale)}`,
    },
    {
      id: 'balance',
      title: t.balance,
      isNumber: true,
      cell: (row) => amount(row.featureType, row.balanceAfter, locale),
    },
  ];
  return (
    <Section title={t.ledger}>
      <div className={styles.filter}>
        <SelectField
          label={t.feature}
          hint={t.ledgerHint}
          value={feature ?? ''}
          onChange={(next) => setFeature(FEATURES.find((known) => known === next))}
        >
          <option value="">{t.all}</option>
          <FeatureOptions />
        </SelectField>
      </div>
      {ledger.error && <Failure error={ledger.error} onRetry={() => void ledger.refetch()} />}
      {ledger.isPending && !ledger.error && <Skeleton />}
      {ledger.total === 0 && <p className="note">{t.noLedger}</p>}
      {ledger.items.length > 0 && (
        <Table isDense caption={t.ledger} columns={columns} rows={ledger.items} keyOf={(row) => row.id} />
      )}
      <MoreButton list={ledger} />
    </Section>
  );
}
