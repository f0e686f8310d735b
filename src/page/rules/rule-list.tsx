import { useState } from 'react';
import { placeName } from '../../catalogue/words/place-name.ts';
import { api, type Resource } from '../api/client.ts';
import { useAction, useList } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useChoices } from '../history/subjects.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { Empty, Failure, FormFailure, MoreButton, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { localeNow, useText } from '../text/text.ts';
import { AlertStrip } from './alert-strip.tsx';
import type { Metric } from './metric-path.ts';
import { metricWords, ruleSentence } from './rule-words.ts';
import styles from './rules.module.css';
import { channelsOf } from './told.ts';
import { useCatalogue } from './use-catalogue.ts';
import { nameOfChannel, useTold } from './who.tsx';

type Rule = Resource<'AlertRule'>;

/** Whether a rule fires changes by the second; a list shows it this often. */
const REFRESH_MS = 10_000;
const CHANGES = { changes: [['rules'], ['overview']] } as const;

export function RuleList() {
  const t = useText('rules');
  const { may } = useSession();
  const { catalogue } = useCatalogue();
  const rules = useList(
    ['rules', 'list'],
    (page) => api.GET('/alerts/rules', { params: { query: { page, limit: 50 } } }),
    { refetchInterval: REFRESH_MS },
  );
  const [deleted, setDeleted] = useState<Rule | null>(null);
  const told = useTold();
  const choices = useChoices();
  const mayChange = may('alert:write');
  const toldOf = (rule: Rule): string => {
    const siteIds = rule.siteId
      ? [rule.siteId]
      : (choices.data?.find(({ id }) => id === rule.sceneId)?.siteIds ?? []);
    const { own, wide } = channelsOf(told.subscriptions, {
      ...rule,
      deviceId: rule.deviceId ?? undefined,
      siteIds,
    });
    const ids = new Set([...wide, ...own.map(({ channelId }) => channelId)]);
    return (
      told.channels
        .filter(({ id }) => ids.has(id))
        .map(nameOfChannel)
        .join(', ') || t.nobody
    );
  };
  const columns: Column<Rule>[] = [
    { id: 'rule', title: t.rule, isHeading: true, cell: (rule) => <Sentence {...{ rule, catalogue }} /> },
    { id: 'place', title: t.place, cell: (rule) => placeOf(rule, t) },
    ...(mayChange ? [{ id: 'told', title: t.told, cell: toldOf }] : []),
    { id: 'week', title: t.week, cell: (rule) => <AlertStrip rule={rule} /> },
    {
      id: 'state',
      title: t.state,
      cell: (rule) => <State {...{ rule, catalogue, mayChange }} onDelete={() => setDeleted(rule)} />,
    },
  ];
  if (rules.isPending) return <Skeleton lines={4} />;
  return (
    <>
      {rules.error && <Failure error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.total === 0 &&
        (may('alert:write') ? (
          <Empty
            title={t.none}
            icon="rules"
            action={
              <LinkButton kind="main" icon="plus" href="#/rules/new">
                {t.add}
              </LinkButton>
            }
          >
            {t.noneText}
          </Empty>
        ) : (
          <Empty title={t.none} icon="rules">
            {t.noneViewer}
          </Empty>
        ))}
      {rules.items.length > 0 && (
        <Table caption={t.title} columns={columns} rows={rules.items} keyOf={({ id }) => id} />
      )}
      <MoreButton list={rules} />
      {deleted && <DeleteDialog rule={deleted} onClose={() => setDeleted(null)} />}
    </>
  );
}

const placeOf = ({ device, scene, site }: Rule, t: ReturnType<typeof useText<'rules'>>): string =>
  site ? t.allOf(site.name) : placeName(device!.name, scene!.name);

/** What the rule says, and what it did. */
function Sentence({ rule, catalogue }: { readonly rule: Rule; readonly catalogue: readonly Metric[] }) {
  const t = useText('rules');
  const locale = localeNow();
  const sentence = ruleSentence(t, rule, { catalogue, locale });
  return (
    <div className={styles.rule}>
      <a href={`#/rules/${rule.id}`}>{rule.name}</a>
      {sentence !== rule.name && <p>{sentence}</p>}
      {rule.description && <p className="note">{rule.description}</p>}
      {rule.unmeasuredPaths.length > 0 && (
        <p className="notice" data-tone="warn">
          {t.unmeasured(rule.unmeasuredPaths.map((path) => metricWords(t, path, catalogue)).join(', '))}
        </p>
      )}
    </div>
  );
}

interface StateProps {
  readonly rule: Rule;
  readonly catalogue: readonly Metric[];
  readonly mayChange: boolean;
  readonly onDelete: () => void;
}

/** What the rule does, the switch for it, and away with it. */
function State({ rule, catalogue, mayChange, onDelete }: StateProps) {
  const t = useText('rules');
  const isOff = rule.status === 'disabled';
  const toggle = useAction(
    (isOn: boolean) =>
      api.PATCH('/alerts/rules/{id}', {
        params: { path: { id: rule.id } },
        body: { status: isOn ? 'enabled' : 'disabled' },
      }),
    CHANGES,
  );
  const state = rule.isFiring ? 'firing' : isOff ? 'disabled' : 'watching';
  const firing = rule.severity === 'critical' ? 'bad' : 'warn';
  const tone = ({ firing, disabled: 'off', watching: 'good' } as const)[state];
  const chip = <Chip tone={tone}>{t.states[state]}</Chip>;
  if (!mayChange) return chip;
  return (
    <div>
      <div className={styles.state}>
        {/* Shows at once what it will be; a failure takes that back and says why. */}
        <button
          type="button"
          role="switch"
          className={styles.switch}
          aria-checked={toggle.isPending ? toggle.variables : !isOff}
          aria-disabled={toggle.isPending}
          aria-label={ruleSentence(t, rule, { catalogue, locale: localeNow() })}
          onClick={() => toggle.isPending || toggle.mutate(isOff)}
        />
        {chip}
        <Button kind="quiet" icon="trash" onClick={onDelete} aria-label={`${t.delete} ${rule.name}`} />
      </div>
      <FormFailure error={toggle.error} />
    </div>
  );
}

function DeleteDialog({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const t = useText('rules');
  const remove = useAction(() => api.DELETE('/alerts/rules/{id}', { params: { path: { id: rule.id } } }), {
    ...CHANGES,
    onDone: onClose,
  });
  return (
    <ConfirmDialog title={t.deleteTitle} confirm={t.delete} action={remove} onClose={onClose}>
      <p>{t.deleteText(rule.name)}</p>
    </ConfirmDialog>
  );
}
